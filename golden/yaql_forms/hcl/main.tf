# Converted from input.yaml by hot2tf.

# Each form of YAQL that has a counterpart in HCL.
