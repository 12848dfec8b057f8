# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_router_v2" "router" {
  name                = "r"
  admin_state_up      = true
  distributed         = false
  external_network_id = data.openstack_networking_network_v2.external.id
  enable_snat         = true

  external_fixed_ip {
    ip_address = "198.51.100.9"
    subnet_id  = data.openstack_networking_subnet_v2.public_subnet.id
  }

  tags = ["edge"]
}

resource "openstack_networking_router_v2" "inner" {
  name                = "inner"
  value_specs         = { ha = "true" }
  external_network_id = data.openstack_networking_network_v2.external.id
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_router_interface_v2" "by_port" {
  router_id = openstack_networking_router_v2.inner.id
  port_id   = openstack_networking_port_v2.port.id
}
