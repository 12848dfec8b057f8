# Made by hot2tf from input.yaml

# What --tests asserts of conditions, references, groups, constraints and looked-up names.

resource "openstack_networking_network_v2" "net" {
  name = "inner"
}

resource "openstack_networking_port_v2" "port" {
  name               = "${var.stack_name}-port"
  network_id         = openstack_networking_network_v2.net.id
  security_group_ids = [data.openstack_networking_secgroup_v2.default.id]
}

resource "openstack_networking_floatingip_v2" "address" {
  count = local.is_public ? 1 : 0

  pool    = "outside"
  port_id = openstack_networking_port_v2.port.id
}

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-server"
  image_name  = "debian"
  flavor_name = var.flavor
  admin_pass  = var.password

  network {
    port = openstack_networking_port_v2.port.id
  }

  tags = [var.label]

  user_data = <<-EOT
    #!/bin/sh
    listen ${openstack_networking_port_v2.port.all_fixed_ips[0]}
  EOT
}

resource "openstack_networking_port_v2" "workers" {
  count = var.size

  name       = "worker-${count.index}"
  network_id = openstack_networking_network_v2.net.id
}
