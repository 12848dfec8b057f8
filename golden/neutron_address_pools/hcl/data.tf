# Made by hot2tf from input.yaml

data "openstack_networking_addressscope_v2" "scope_name" {
  name = var.scope_name
}

data "openstack_networking_network_v2" "backbone" {
  name = "backbone"
}

data "openstack_networking_secgroup_v2" "common" {
  name = "common"
}
