# Converted from input.yaml by hot2tf.

locals {
  is_apart = var.apart
}
