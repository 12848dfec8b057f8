locals {
  sizes = {
    test = {
      flavor = "m1.tiny"
      disk   = 1
    }
    prod = {
      flavor = "m1.large"
      disk   = 80
    }
  }

  is_prod             = var.Stage == "prod"
  not_prod            = !local.is_prod
  both                = local.is_prod && var.Size == 3
  any                 = local.is_prod || local.not_prod
  server_flavor       = local.sizes[var.Stage].flavor
  flavor_id           = "^[0-9]+$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  server_flavor_is_id = can(regex(local.flavor_id, local.server_flavor))
}
