# Converted from input.yaml by hot2tf.

locals {
  busy = var.busy
}
