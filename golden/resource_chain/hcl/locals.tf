# Converted from input.yaml by hot2tf.

locals {
  wanted = var.with_others
}
