# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_router_v2" "router" {
  name                = "r"
  external_network_id = data.openstack_networking_network_v2.public.id
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_floatingip_v2" "address" {
  pool    = "public"
  port_id = openstack_networking_port_v2.port.id

  # Heat creates the gateway of a router before a floating IP in its network.
  # The floating IP can reach the port only through this router interface.
  depends_on = [openstack_networking_router_interface_v2.interface]
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    uuid = openstack_networking_network_v2.net.id
  }

  depends_on = [openstack_networking_router_interface_v2.interface]
}
