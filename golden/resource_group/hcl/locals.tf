# Made by hot2tf from input.yaml

locals {
  is_public     = var.public
  volumes_names = local.is_public ? ["0", "2"] : []
}
