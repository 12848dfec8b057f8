# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "by_either" {
  name       = "${var.stack_name}-by_either"
  network_id = data.openstack_networking_network_v2.network.id
}

resource "openstack_networking_port_v2" "by_id" {
  name       = "${var.stack_name}-by_id"
  network_id = "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d11"

  fixed_ip {
    subnet_id = var.subnet
  }
}

resource "openstack_networking_port_v2" "by_name" {
  name       = "${var.stack_name}-by_name"
  network_id = data.openstack_networking_network_v2.named.id
}

resource "openstack_networking_port_v2" "literal" {
  name       = "${var.stack_name}-literal"
  network_id = data.openstack_networking_network_v2.private.id

  fixed_ip {
    subnet_id = data.openstack_networking_subnet_v2.private_subnet.id
  }
}

resource "openstack_networking_port_v2" "chosen" {
  name = "${var.stack_name}-chosen"

  network_id = (local.has_group
    ? data.openstack_networking_network_v2.private.id
    : data.openstack_networking_network_v2.network.id
  )

  security_group_ids = [
    local.has_group ? data.openstack_networking_secgroup_v2.group[0].id : data.openstack_networking_secgroup_v2.default[0].id,
  ]
}
