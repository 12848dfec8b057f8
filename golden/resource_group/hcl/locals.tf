# Converted from input.yaml by hot2tf.

locals {
  is_public     = var.public
  volumes_names = local.is_public ? ["0", "2"] : []
}
