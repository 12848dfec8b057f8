# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.60.0.0/24"
}

resource "openstack_networking_router_v2" "router" {
  name                = "${var.stack_name}-router"
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

resource "openstack_networking_floatingip_v2" "floating" {
  pool = "public"

  # Heat creates the gateway of a router before a floating IP in its network.
  depends_on = [openstack_networking_router_v2.router]
}

resource "openstack_networking_portforwarding_v2" "ssh" {
  floatingip_id       = openstack_networking_floatingip_v2.floating.id
  internal_port_id    = openstack_networking_port_v2.port.id
  internal_ip_address = openstack_networking_port_v2.port.all_fixed_ips[0]
  internal_port       = 22
  external_port       = var.external
  protocol            = "tcp"

  # The floating IP can reach the port only through this router interface.
  depends_on = [openstack_networking_router_interface_v2.interface]
}

resource "openstack_networking_portforwarding_v2" "dns" {
  floatingip_id = (local.address_is_id
    ? var.address
    : data.openstack_networking_floatingip_v2.address[0].id
  )

  internal_port_id    = data.openstack_networking_port_v2.resolver.id
  internal_ip_address = "10.60.0.53"
  internal_port       = 53
  external_port       = 53
  protocol            = "udp"
}

# HOT450: kept in Heat: without_number.
# The provider rejects without_number: internal_port is required.
resource "openstack_orchestration_stack_v1" "without_number" {
  name             = "${var.stack_name}-without-number"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/without_number.yaml")
  }

  environment_opts = { Bin = "{}" }
}
