# Made by hot2tf: hot2tf convert input.yaml -o DIR

# Each form of YAQL that has a counterpart in HCL.
