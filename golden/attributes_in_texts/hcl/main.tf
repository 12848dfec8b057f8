# Made by hot2tf from input.yaml

# What is not set, lists and maps inside texts.

resource "openstack_networking_network_v2" "net" {
  name = "${var.stack_name}-net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_subnet_v2" "second" {
  name       = "${var.stack_name}-second"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.1.0/24"

  depends_on = [openstack_networking_subnet_v2.subnet]
}
