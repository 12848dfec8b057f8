# Made by hot2tf from input.yaml

data "openstack_networking_secgroup_v2" "default" {
  name = "default"
}

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_network_v2" "other_network" {
  count = var.other_network != "" ? 1 : 0

  name       = local.other_network_is_id ? null : var.other_network
  network_id = local.other_network_is_id ? var.other_network : null
}
