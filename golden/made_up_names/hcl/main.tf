# Made by hot2tf from input.yaml

# Names that Heat makes up, where none is given. In place of null and of an empty name it makes
# one up only for some types. Members of groups and chains have numbers.

resource "openstack_networking_network_v2" "net" {
  name = "${var.stack_name}-net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "192.0.2.0/24"
}

# Heat sends an empty name
resource "openstack_networking_router_v2" "router" {
  name = ""
}

resource "openstack_networking_network_v2" "other_net" {
  name = local.is_named ? "other" : ""
}

resource "openstack_blockstorage_volume_v3" "volume" {
  name = coalesce(var.volume_name, "${var.stack_name}-volume")
  size = 1
}

resource "openstack_blockstorage_volume_v3" "other_volume" {
  name = coalesce(local.is_named ? "other" : null, "${var.stack_name}-other_volume")
  size = 1
}

resource "openstack_networking_port_v2" "ports" {
  count = 2

  name       = "${var.stack_name}-ports-${count.index}"
  network_id = openstack_networking_network_v2.net.id

  # A port that is created before the subnets of its network has no address.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_network_v2" "nets_0" {
  name = "${var.stack_name}-nets-0"
}

resource "openstack_networking_network_v2" "nets_1" {
  name = "${var.stack_name}-nets-1"
}

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-server"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    port = openstack_networking_port_v2.server.id
  }
}

# Heat makes a port for it, with a name of its own
resource "openstack_networking_port_v2" "server" {
  name       = "server-port-0"
  network_id = openstack_networking_subnet_v2.subnet.network_id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}
