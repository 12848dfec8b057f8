# Converted from input.yaml by hot2tf.

locals {
  second = var.second
}
