# Converted from export.json by hot2tf.

stack_name = "web"
key        = "mykey"
disk       = true
