# Converted from input.yaml by hot2tf.

# Lists and maps with null in them, or that are not there, and what functions make of those.
