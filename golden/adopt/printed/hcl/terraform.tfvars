# Converted from template.json by hot2tf.

size = 2
