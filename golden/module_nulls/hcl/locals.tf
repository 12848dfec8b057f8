# Converted from input.yaml by hot2tf.

locals {
  found = var.is_found
}
