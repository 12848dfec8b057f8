# Made by hot2tf from input.yaml

locals {
  sizes = {
    test = { flavor = "m1.tiny", disk = 1 }
    prod = { flavor = "m1.large", disk = 80 }
  }

  is_prod  = var.Stage == "prod"
  not_prod = !local.is_prod
  both     = local.is_prod && var.Size == 3
  any      = local.is_prod || local.not_prod
}
