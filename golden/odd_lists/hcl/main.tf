# Made by hot2tf: hot2tf convert input.yaml -o DIR

# Lists and maps with null in them, or that are not there, and what functions make of those.
