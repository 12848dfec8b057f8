# Made by hot2tf from the running stack web

# A server on a network of its own.

resource "openstack_networking_network_v2" "net" {
  name = "${var.stack_name}-net"

  # HOT716: name: Heat made it up; openstack network show 00000011-0000-4000-8000-000000000000 -f
  # value -c name.
  lifecycle {
    ignore_changes = [name]
  }
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.7.0/24"

  # HOT716: name: Heat made it up; openstack subnet show 00000012-0000-4000-8000-000000000000 -f
  # value -c name.
  lifecycle {
    ignore_changes = [name]
  }
}

resource "openstack_networking_router_v2" "router" {
  name = "${var.stack_name}-router"

  # HOT716: name: Heat made it up; openstack router show 00000013-0000-4000-8000-000000000000 -f
  # value -c name.
  lifecycle {
    ignore_changes = [name]
  }
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_secgroup_v2" "group" {
  name = "web"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
}

resource "openstack_networking_port_v2" "port" {
  name               = "${var.stack_name}-port"
  network_id         = openstack_networking_network_v2.net.id
  security_group_ids = [openstack_networking_secgroup_v2.group.id]

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }

  # HOT716: name: Heat made it up; openstack port show 00000015-0000-4000-8000-000000000000 -f value
  # -c name.
  # HOT716: fixed_ip: the provider reads addresses only as all_fixed_ips.
  # HOT716: security_group_ids: the provider reads groups only as all_security_group_ids.
  lifecycle {
    ignore_changes = [name, fixed_ip, security_group_ids]
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-server"
  image_name  = "ubuntu-24.04"
  flavor_name = "m1.small"
  key_pair    = var.key
  admin_pass  = var.password

  network {
    port = openstack_networking_port_v2.port.id
  }

  user_data = <<-EOT
    #!/bin/sh
    apt-get install --yes nginx
  EOT

  # HOT716: name: Heat made it up; openstack server show 00000016-0000-4000-8000-000000000000 -f
  # value -c name.
  # HOT716: admin_pass: Nova does not return passwords.
  # HOT716: network: the provider reads addresses by network, but neither ports nor the order of the
  # NICs.
  # HOT716: user_data: the provider does not read it.
  lifecycle {
    ignore_changes = [name, admin_pass, network, user_data]
  }
}

resource "openstack_blockstorage_volume_v3" "data" {
  count = local.has_disk ? 1 : 0

  name = "${var.stack_name}-data"
  size = 20

  # HOT716: name: Heat made it up; openstack volume show 00000017-0000-4000-8000-000000000000 -f
  # value -c name.
  lifecycle {
    ignore_changes = [name]
  }
}

resource "openstack_compute_volume_attach_v2" "attachment" {
  count = local.has_disk ? 1 : 0

  instance_id = openstack_compute_instance_v2.server.id
  volume_id   = openstack_blockstorage_volume_v3.data[0].id
}

resource "openstack_networking_network_v2" "spare" {
  count = local.is_gone ? 1 : 0

  name = "${var.stack_name}-spare"
}

resource "openstack_networking_floatingip_v2" "address" {
  pool    = var.public
  port_id = openstack_networking_port_v2.port.id

  depends_on = [openstack_networking_router_interface_v2.interface]
}
