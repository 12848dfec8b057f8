# Converted from input.yaml by hot2tf.

locals {
  own     = var.make_net == "yes"
  foreign = !local.own
}
