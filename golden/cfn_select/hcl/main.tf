# Made by hot2tf from input.yaml

# Fn::Select with indexes from the end, and those that only the run knows.
