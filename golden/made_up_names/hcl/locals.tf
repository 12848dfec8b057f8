# Converted from input.yaml by hot2tf.

locals {
  is_named = var.named
}
