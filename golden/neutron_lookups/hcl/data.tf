# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  name       = local.network_is_id ? null : var.network
  network_id = local.network_is_id ? var.network : null
}

data "openstack_networking_network_v2" "named" {
  name = var.named
}

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_subnet_v2" "private_subnet" {
  name = "private-subnet"
}

data "openstack_networking_secgroup_v2" "group" {
  count = local.has_group ? 1 : 0

  name        = local.group_is_id ? null : var.group
  secgroup_id = local.group_is_id ? var.group : null
}

data "openstack_networking_secgroup_v2" "default" {
  count = local.has_group ? 0 : 1

  name = "default"
}
