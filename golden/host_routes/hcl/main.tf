# Made by hot2tf from input.yaml

# Routes of a subnet, written out, chosen, and given; a destination may be there twice.

resource "openstack_networking_network_v2" "net" {
  name = "${var.stack_name}-net"
}

resource "openstack_networking_subnet_v2" "written" {
  name       = "${var.stack_name}-written"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_subnet_route_v2" "written_0" {
  subnet_id        = openstack_networking_subnet_v2.written.id
  destination_cidr = "10.9.0.0/16"
  next_hop         = "10.0.0.9"
}

resource "openstack_networking_subnet_route_v2" "written_1" {
  subnet_id        = openstack_networking_subnet_v2.written.id
  destination_cidr = "10.9.0.0/16"
  next_hop         = "10.0.0.10"
}

resource "openstack_networking_subnet_v2" "chosen" {
  name       = "${var.stack_name}-chosen"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.1.0.0/24"
}

resource "openstack_networking_subnet_route_v2" "chosen" {
  for_each = { for i, route in local.chosen_routes : i => route }

  subnet_id        = openstack_networking_subnet_v2.chosen.id
  destination_cidr = each.value.destination
  next_hop         = each.value.nexthop
}

resource "openstack_networking_subnet_v2" "given" {
  name       = "${var.stack_name}-given"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.2.0.0/24"
}

resource "openstack_networking_subnet_route_v2" "given" {
  for_each = { for i, route in var.routes : i => route }

  subnet_id        = openstack_networking_subnet_v2.given.id
  destination_cidr = each.value.destination
  next_hop         = each.value.nexthop
}
