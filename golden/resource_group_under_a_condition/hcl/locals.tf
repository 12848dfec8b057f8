# Converted from input.yaml by hot2tf.

locals {
  is_used = var.use
}
