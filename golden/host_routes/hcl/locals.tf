# Made by hot2tf from input.yaml

locals {
  twice = var.twice

  chosen_routes = (local.twice
    ? [{ destination = "10.9.0.0/16", nexthop = "10.1.0.9" }, { destination = "10.9.0.0/16", nexthop = "10.1.0.10" }]
    : []
  )
}
