# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  name       = local.network_is_id ? null : var.network
  network_id = local.network_is_id ? var.network : null
}

data "openstack_networking_subnet_v2" "subnet" {
  name      = local.subnet_is_id ? null : var.subnet
  subnet_id = local.subnet_is_id ? var.subnet : null
}

data "openstack_networking_subnet_v2" "of_subnet_subnet" {
  subnet_id = "76543210-89ab-cdef-0123-456789abcdef"
}
