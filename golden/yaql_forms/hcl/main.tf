# Made by hot2tf from input.yaml

# Each form of YAQL that has a counterpart in HCL.
