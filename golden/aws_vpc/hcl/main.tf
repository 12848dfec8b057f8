# Made by hot2tf from input.yaml

# A VPC with two subnets, one behind a router of its own, and addresses from outside.

resource "openstack_networking_subnet_v2" "inner" {
  name       = "${var.stack_name}-Inner"
  network_id = openstack_networking_network_v2.vpc.id
  cidr       = "10.0.1.0/24"
  ip_version = 4
}

resource "openstack_networking_router_interface_v2" "inner" {
  router_id = openstack_networking_router_v2.vpc.id
  subnet_id = openstack_networking_subnet_v2.inner.id
}

resource "openstack_networking_network_v2" "vpc" {
  name = "${var.stack_name}-Vpc"
}

resource "openstack_networking_router_v2" "vpc" {
  name = "${var.stack_name}-Vpc"
}

resource "openstack_networking_subnet_v2" "outer" {
  name       = "${var.stack_name}-Outer"
  network_id = openstack_networking_network_v2.vpc.id
  cidr       = "10.0.2.0/24"
  ip_version = 4
}

resource "openstack_networking_subnet_v2" "sometimes" {
  name       = "${var.stack_name}-Sometimes"
  network_id = openstack_networking_network_v2.vpc.id
  cidr       = "10.0.3.0/24"
  ip_version = 4
}

resource "openstack_networking_router_interface_v2" "sometimes" {
  count = local.open ? 0 : 1

  router_id = openstack_networking_router_v2.vpc.id
  subnet_id = openstack_networking_subnet_v2.sometimes.id
}

resource "openstack_networking_router_v2" "table" {
  name                = "${var.stack_name}-Table"
  external_network_id = local.open ? data.openstack_networking_network_v2.external.id : null

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [openstack_networking_network_v2.vpc, openstack_networking_router_v2.vpc]
}

resource "openstack_networking_router_v2" "closed" {
  name = "${var.stack_name}-Closed"

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [openstack_networking_network_v2.second, openstack_networking_router_v2.second]
}

resource "openstack_networking_network_v2" "second" {
  name = "${var.stack_name}-Second"
}

resource "openstack_networking_router_v2" "second" {
  name = "${var.stack_name}-Second"
}

resource "openstack_networking_router_interface_v2" "on_table" {
  router_id = openstack_networking_router_v2.table.id
  subnet_id = openstack_networking_subnet_v2.outer.id
}

resource "openstack_networking_router_interface_v2" "sometimes_on_table" {
  count = local.open ? 1 : 0

  router_id = openstack_networking_router_v2.table.id
  subnet_id = openstack_networking_subnet_v2.sometimes.id
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-Port"
  network_id = openstack_networking_subnet_v2.inner.network_id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.inner.id
  }
}

resource "openstack_compute_instance_v2" "web" {
  name        = "${var.stack_name}-Web"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.web.id
  }

  depends_on = [openstack_networking_router_v2.table]
}

resource "openstack_networking_port_v2" "web" {
  network_id = openstack_networking_subnet_v2.outer.network_id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.outer.id
  }
}

resource "openstack_compute_instance_v2" "shell" {
  name        = "${var.stack_name}-Shell"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    uuid = openstack_networking_network_v2.vpc.id
  }
}

resource "openstack_networking_floatingip_v2" "alone" {
  pool = data.openstack_networking_network_v2.external.name
}

resource "openstack_networking_floatingip_v2" "to_web" {
  pool    = data.openstack_networking_network_v2.external.name
  port_id = openstack_networking_port_v2.web.id

  # The port is reached through the router only once it has this interface.
  depends_on = [openstack_networking_router_interface_v2.on_table]
}

resource "openstack_networking_floatingip_v2" "free" {
  count = local.open ? 1 : 0

  pool = data.openstack_networking_network_v2.external.name
}

resource "openstack_networking_floatingip_associate_v2" "to_shell" {
  count = local.open ? 1 : 0

  floating_ip = openstack_networking_floatingip_v2.free[0].address
  port_id     = data.openstack_networking_port_v2.shell[0].id
}

resource "openstack_networking_floatingip_v2" "to_server" {
  pool    = data.openstack_networking_network_v2.external.name
  port_id = data.openstack_networking_port_v2.server.id
}
