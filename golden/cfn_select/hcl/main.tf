# Made by hot2tf: hot2tf convert input.yaml -o DIR

# Fn::Select with indexes from the end, and those that only the run knows.
