# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  name       = local.network_is_id ? null : var.network
  network_id = local.network_is_id ? var.network : null
}

data "openstack_compute_flavor_v2" "flavor" {
  name = var.flavor
}
