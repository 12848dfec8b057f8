# Made by hot2tf from input.yaml

# Ports in a network with one subnet, and in one with two.

resource "openstack_networking_network_v2" "one" {
  name = "one"
}

resource "openstack_networking_subnet_v2" "only" {
  name       = "only"
  network_id = openstack_networking_network_v2.one.id
  cidr       = "10.0.1.0/24"
}

resource "openstack_networking_port_v2" "in_one" {
  name       = "in_one"
  network_id = openstack_networking_network_v2.one.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.only.id
  }
}

resource "openstack_networking_port_v2" "set" {
  name       = "set"
  network_id = openstack_networking_network_v2.one.id

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.only.id
    ip_address = "10.0.1.9"
  }
}

resource "openstack_networking_port_v2" "none" {
  name        = "none"
  network_id  = openstack_networking_network_v2.one.id
  no_fixed_ip = true

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.only]
}

resource "openstack_networking_network_v2" "two" {
  name = "two"
}

resource "openstack_networking_subnet_v2" "first" {
  name       = "first"
  network_id = openstack_networking_network_v2.two.id
  cidr       = "10.0.2.0/24"
}

resource "openstack_networking_subnet_v2" "second" {
  name       = "second"
  network_id = openstack_networking_network_v2.two.id
  cidr       = "10.0.3.0/24"
}

resource "openstack_networking_port_v2" "in_two" {
  name       = "in_two"
  network_id = openstack_networking_network_v2.two.id

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.first, openstack_networking_subnet_v2.second]
}

resource "openstack_compute_instance_v2" "server" {
  name        = "server"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.in_one.id
  }

  user_data = local.hello
}

# the end of the resources stays in main.tf, though the last resource does not
