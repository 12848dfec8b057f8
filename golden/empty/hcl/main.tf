# Made by hot2tf from input.yaml

# Nothing in it.
