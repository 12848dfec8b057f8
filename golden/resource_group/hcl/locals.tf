# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  is_public     = var.public
  volumes_names = local.is_public ? ["0", "2"] : []
}
