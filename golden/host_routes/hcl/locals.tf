# Converted from input.yaml by hot2tf.

locals {
  twice = var.twice

  chosen_routes = (local.twice
    ? [{ destination = "10.9.0.0/16", nexthop = "10.1.0.9" }, { destination = "10.9.0.0/16", nexthop = "10.1.0.10" }]
    : []
  )
}
