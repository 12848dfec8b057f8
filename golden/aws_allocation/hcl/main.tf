# Made by hot2tf from input.yaml

# Addresses by the IDs of their allocations.

resource "openstack_networking_network_v2" "vpc" {
  name = "${var.stack_name}-Vpc"
}

resource "openstack_networking_router_v2" "vpc" {
  name                = "${var.stack_name}-Vpc"
  external_network_id = data.openstack_networking_network_v2.external.id
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-Subnet"
  network_id = openstack_networking_network_v2.vpc.id
  cidr       = "10.0.1.0/24"
  ip_version = 4
}

resource "openstack_networking_router_interface_v2" "subnet" {
  router_id = openstack_networking_router_v2.vpc.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-Port"
  network_id = openstack_networking_subnet_v2.subnet.network_id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_compute_instance_v2" "web" {
  name        = "${var.stack_name}-Web"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.port.id
  }
}

resource "openstack_networking_floatingip_v2" "elastic" {
  pool = data.openstack_networking_network_v2.external.name
}

resource "openstack_networking_floatingip_v2" "floating" {
  pool = "public"
}

resource "openstack_networking_floatingip_associate_v2" "to_web" {
  floating_ip = openstack_networking_floatingip_v2.elastic.address
  port_id     = openstack_networking_port_v2.port.id

  # The port is reached through the router only once it has this interface.
  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [openstack_networking_router_interface_v2.subnet, openstack_compute_instance_v2.web]
}

resource "openstack_networking_network_v2" "second" {
  name = "${var.stack_name}-Second"
}

resource "openstack_networking_router_v2" "second" {
  name                = "${var.stack_name}-Second"
  external_network_id = local.is_open ? data.openstack_networking_network_v2.public.id : null
}

resource "openstack_networking_subnet_v2" "inside" {
  name       = "${var.stack_name}-Inside"
  network_id = openstack_networking_network_v2.second.id
  cidr       = "10.0.2.0/24"
  ip_version = 4
}

resource "openstack_networking_router_interface_v2" "inside" {
  router_id = openstack_networking_router_v2.second.id
  subnet_id = openstack_networking_subnet_v2.inside.id
}

resource "openstack_networking_port_v2" "other" {
  name       = "${var.stack_name}-Other"
  network_id = openstack_networking_subnet_v2.inside.network_id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.inside.id
  }
}

resource "openstack_networking_floatingip_associate_v2" "to_other" {
  count = local.is_open ? 1 : 0

  floating_ip = openstack_networking_floatingip_v2.floating.address
  port_id     = openstack_networking_port_v2.other.id

  # The port is reached through the router only once it has this interface.
  depends_on = [openstack_networking_router_interface_v2.inside]
}

resource "openstack_networking_floatingip_associate_v2" "from_elsewhere" {
  floating_ip = lookup(local.from_elsewhere_floating_ip, "FromElsewhere_floating_ip_floating_ip_address", null)
  port_id     = openstack_networking_port_v2.other.id

  # The port is reached through the router only once it has this interface.
  depends_on = [openstack_networking_router_interface_v2.inside]
}

# HOT457: no data source finds a floating IP by ID; Heat does.
resource "openstack_orchestration_stack_v1" "from_elsewhere_floating_ip" {
  name             = "${var.stack_name}-from-elsewhere-floating-ip"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/from_elsewhere_floating_ip.yaml")
  }

  environment_opts = { Bin = "{}" }
}
