# Made by hot2tf from input.yaml

locals {
  is_prod   = var.stage == "prod"
  is_test   = var.stage == "test"
  is_public = var.public
  several   = var.replicas != 1
  both      = local.is_prod && local.is_public && local.several
  either    = local.is_test || !local.is_public
  in_list   = contains(["staging", "prod"], var.stage)
}
