# Made by hot2tf from base.yaml

resource "openstack_networking_network_v2" "net" {
  name = "${var.prefix}-net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "front"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}
