locals {
  # the big ones
  sizes = {
    small = {
      flavor = "m1.small"
    }
    large = {
      flavor = "m1.large"
    }
  }

  prod                = var.Key == "prod" || var.Size != "small"
  flavor_id           = "^[0-9]+$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
  server_flavor_is_id = can(regex(local.flavor_id, local.sizes[var.Size].flavor))
}
