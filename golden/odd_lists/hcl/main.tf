# Made by hot2tf from input.yaml

# Lists and maps with null in them, or that are not there, and what functions make of those.
