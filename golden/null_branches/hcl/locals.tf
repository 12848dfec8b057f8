# Made by hot2tf from input.yaml

locals {
  is_used       = var.use
  subnet_routes = local.is_used ? [{ destination = "10.1.0.0/16", nexthop = "10.0.0.9" }] : []
}
