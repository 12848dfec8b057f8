data "openstack_networking_network_v2" "network" {
  count = local.own ? 0 : 1

  name = var.network
}

data "openstack_networking_network_v2" "network_2" {
  count = local.foreign ? 1 : 0

  name = var.network
}
