# Converted from export.json by hot2tf.

stack_name = "partly"
flavor     = "m1.tiny"
