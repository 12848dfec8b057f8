# Made by hot2tf from input.yaml

# An instance with everything that Heat makes of one.

resource "openstack_networking_secgroup_v2" "group" {
  name        = "${var.stack_name}-Group"
  description = "SSH"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_22" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 22
  port_range_max    = 22
  remote_ip_prefix  = "10.0.0.0/8"
}

resource "openstack_compute_instance_v2" "plain" {
  name              = "${var.stack_name}-Plain"
  image_name        = local.images.small.debian
  flavor_name       = var.InstanceType
  key_pair          = var.KeyName
  availability_zone = "nova"

  security_groups = [
    openstack_networking_secgroup_v2.group.name,
    "default",
    data.openstack_networking_secgroup_v2.plain_security_group.name,
  ]

  scheduler_hints {
    group = "6f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"

    different_host = [
      "7f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60",
      "8f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60",
    ]

    additional_properties = { shelf = "3" }
  }

  metadata = { stack = var.stack_name, role = "blog" }

  # HOT562: Heat wraps this in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged.
  user_data = trimsuffix(<<-EOT
    #!/bin/bash
    echo $${HOME}
    size=${var.InstanceType}
  EOT
  , "\n")
}

resource "openstack_compute_volume_attach_v2" "plain_0" {
  instance_id = openstack_compute_instance_v2.plain.id
  volume_id   = openstack_blockstorage_volume_v3.data.id
  device      = "/dev/vdc"
}

resource "openstack_compute_volume_attach_v2" "plain_1" {
  instance_id = openstack_compute_instance_v2.plain.id
  volume_id   = "9f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"
  device      = "/dev/vdd"
}

resource "openstack_compute_instance_v2" "in_subnet" {
  count = local.is_public ? 1 : 0

  name       = "${var.stack_name}-InSubnet"
  image_name = local.images["small"].debian
  flavor_id  = "3"

  network {
    port = openstack_networking_port_v2.in_subnet[0].id
  }

  block_device {
    uuid                  = data.openstack_images_image_v2.in_subnet_image[0].id
    source_type           = "image"
    destination_type      = "local"
    boot_index            = 0
    delete_on_termination = true
  }

  block_device {
    uuid                  = var.SnapshotId
    source_type           = "snapshot"
    destination_type      = "volume"
    boot_index            = -1
    volume_size           = 20
    delete_on_termination = true
  }

  block_device {
    uuid                  = "1f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"
    source_type           = "snapshot"
    destination_type      = "volume"
    boot_index            = -1
    delete_on_termination = false
  }
}

resource "openstack_networking_port_v2" "in_subnet" {
  count = local.is_public ? 1 : 0

  network_id         = data.openstack_networking_subnet_v2.subnet_id[0].network_id
  security_group_ids = [openstack_networking_secgroup_v2.group.id]

  fixed_ip {
    subnet_id = var.SubnetId
  }
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-Port"
  network_id = data.openstack_networking_subnet_v2.subnet_id_2.network_id

  security_group_ids = [
    openstack_networking_secgroup_v2.group.id,
    data.openstack_networking_secgroup_v2.web.id,
  ]

  fixed_ip {
    subnet_id  = var.SubnetId
    ip_address = "10.0.0.7"
  }
}

resource "openstack_networking_port_v2" "other" {
  name               = "${var.stack_name}-Other"
  network_id         = data.openstack_networking_subnet_v2.subnet_id_2.network_id
  no_security_groups = true

  fixed_ip {
    subnet_id = var.SubnetId
  }
}

resource "openstack_compute_instance_v2" "with_ports" {
  name        = "${var.stack_name}-WithPorts"
  image_id    = "2f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.port.id
  }

  network {
    port = openstack_networking_port_v2.other.id
  }
}

resource "openstack_blockstorage_volume_v3" "data" {
  name              = "${var.stack_name}-Data"
  description       = "${var.stack_name}-Data"
  size              = local.images.small.disk
  availability_zone = "nova"
  metadata          = { kind = "data" }
}

resource "openstack_blockstorage_volume_v3" "restored" {
  name              = "${var.stack_name}-Restored"
  description       = "${var.stack_name}-Restored"
  size              = 10
  availability_zone = openstack_compute_instance_v2.plain.availability_zone
  backup_id         = "3f0c2b6e-6c3e-4b6b-8f5c-1d2c3b4a5f60"

  # HOT504: Heat takes a snapshot before it deletes this (DeletionPolicy Snapshot).
  # Terraform cannot, so it refuses to delete it: take one, then remove this block.
  lifecycle {
    prevent_destroy = true
  }
}

# HOT401: Device is dropped: the hypervisor chooses the device; another name would be a change in each plan.
resource "openstack_compute_volume_attach_v2" "attachment" {
  instance_id = openstack_compute_instance_v2.with_ports.id
  volume_id   = openstack_blockstorage_volume_v3.restored.id
}
