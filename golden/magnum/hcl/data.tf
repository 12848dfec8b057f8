# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  name       = local.network_is_id ? null : var.network
  network_id = local.network_is_id ? var.network : null
}

data "openstack_networking_network_v2" "inner" {
  name = "inner"
}

data "openstack_networking_subnet_v2" "inner" {
  name = "inner"
}

data "openstack_containerinfra_clustertemplate_v1" "made_by_hand" {
  name = "made-by-hand"
}
