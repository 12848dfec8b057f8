# Made by hot2tf from input.yaml

data "openstack_networking_port_v2" "tagged" {
  name = var.tagged
}

data "openstack_networking_port_v2" "other_parent" {
  name = "other-parent"
}
