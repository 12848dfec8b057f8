# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "public" {
  name = "public"
}

data "openstack_networking_floatingip_v2" "address" {
  count = local.address_is_id ? 0 : 1

  address = var.address
}

data "openstack_networking_port_v2" "resolver" {
  name = "resolver"
}
