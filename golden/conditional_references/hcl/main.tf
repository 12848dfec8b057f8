# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  count = local.own ? 1 : 0

  name = "own"
}

resource "openstack_networking_subnet_v2" "subnet" {
  count = local.own ? 1 : 0

  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net[0].id
  cidr       = "10.1.0.0/24"
}

resource "openstack_networking_port_v2" "port" {
  name = "${var.stack_name}-port"

  network_id = (local.own
    ? openstack_networking_network_v2.net[0].id
    : data.openstack_networking_network_v2.network[0].id
  )

  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_port_v2" "second" {
  count = local.foreign ? 1 : 0

  name       = "${var.stack_name}-second"
  network_id = data.openstack_networking_network_v2.network[0].id
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.port.id
  }

  dynamic "network" {
    for_each = local.foreign ? [1] : []

    content {
      port = openstack_networking_port_v2.second[0].id
    }
  }
}
