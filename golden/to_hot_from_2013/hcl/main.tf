# Made by hot2tf from input.yaml

# What the first version of HOT wrote otherwise.

resource "openstack_networking_network_v2" "net" {
  name = "${var.stack_name}-net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name = try(var.names[var.index < 0 ? length(var.names) + var.index : var.index], "")
  # by its old name
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_port_v2" "port" {
  name       = "port-${var.stack_name}"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_port_v2" "group" {
  count = 2

  name       = "${var.stack_name}-group-${count.index}"
  network_id = openstack_networking_network_v2.net.id

  # A port that is created before the subnets of its network has no address.
  depends_on = [openstack_networking_subnet_v2.subnet]
}
