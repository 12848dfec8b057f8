# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_port_v2" "tagged" {
  name = var.tagged
}

data "openstack_networking_port_v2" "other_parent" {
  name = "other-parent"
}
