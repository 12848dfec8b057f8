# Converted from input.yaml by hot2tf.

locals {
  fast           = var.shared
  hex_id_pattern = "^[0-9a-f]{32}$"
}
