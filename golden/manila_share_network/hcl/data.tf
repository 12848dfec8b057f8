data "openstack_networking_network_v2" "network" {
  name       = local.network_is_id ? null : var.network
  network_id = local.network_is_id ? var.network : null
}

data "openstack_networking_subnet_v2" "subnet" {
  name      = local.subnet_is_id ? null : var.subnet
  subnet_id = local.subnet_is_id ? var.subnet : null
}

data "openstack_networking_subnet_v2" "inner" {
  name = "inner"
}
