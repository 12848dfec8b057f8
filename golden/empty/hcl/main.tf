# Converted from input.yaml by hot2tf.

# Nothing in it.
