# Made by hot2tf from input.yaml

# The first version of HOT still had the functions of CFN templates.

resource "openstack_networking_network_v2" "net" {
  name = "${var.name}-net"
}

resource "openstack_networking_port_v2" "port" {
  name       = "first"
  network_id = openstack_networking_network_v2.net.id
}
