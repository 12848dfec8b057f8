# Converted from input.yaml by hot2tf.

# Fn::Select with indexes from the end, and those that only the run knows.
