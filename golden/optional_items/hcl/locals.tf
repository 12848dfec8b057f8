# Converted from input.yaml by hot2tf.

locals {
  has_own = var.own
}
