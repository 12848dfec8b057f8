# Made by hot2tf from node.yaml

resource "openstack_networking_network_v2" "net" {
  name = var.name
  tags = var.tags
}

resource "openstack_networking_port_v2" "random" {
  name       = "${var.stack_name}-random"
  network_id = openstack_networking_network_v2.net.id
}
