# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "my_net" {
  name = var._1st
}

resource "openstack_networking_network_v2" "my_net_2" {
  name = var.a_b_2
}

resource "openstack_networking_network_v2" "_2nd" {
  count = local.is_it ? 1 : 0

  name = var.a_b
}

resource "openstack_networking_network_v2" "netz_größe" {
  name = var.Größe
}
