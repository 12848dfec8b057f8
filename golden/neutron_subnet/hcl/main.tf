# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "v4" {
  name            = "v4"
  network_id      = openstack_networking_network_v2.net.id
  ip_version      = 4
  cidr            = "10.0.0.0/24"
  gateway_ip      = "10.0.0.1"
  enable_dhcp     = true
  dns_nameservers = ["192.0.2.53", "192.0.2.54"]
  tags            = ["office"]

  allocation_pool {
    start = "10.0.0.10"
    end   = "10.0.0.99"
  }
}

resource "openstack_networking_subnet_route_v2" "v4" {
  subnet_id        = openstack_networking_subnet_v2.v4.id
  destination_cidr = "10.9.0.0/16"
  next_hop         = "10.0.0.9"
}

resource "openstack_networking_subnet_v2" "no_gateway" {
  name       = "${var.stack_name}-no_gateway"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.1.0.0/24"
  no_gateway = true
}

resource "openstack_networking_subnet_v2" "v6" {
  name              = "${var.stack_name}-v6"
  network_id        = openstack_networking_network_v2.net.id
  ip_version        = 6
  cidr              = "2001:db8::/64"
  ipv6_ra_mode      = "slaac"
  ipv6_address_mode = "slaac"
}

resource "openstack_networking_subnet_v2" "from_pool" {
  name          = "${var.stack_name}-from_pool"
  network_id    = openstack_networking_network_v2.net.id
  subnetpool_id = data.openstack_networking_subnetpool_v2.pool.id
  prefix_length = 26
}
