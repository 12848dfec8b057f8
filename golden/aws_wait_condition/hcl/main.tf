# Made by hot2tf from input.yaml

# An instance that reports to Heat stays there, with what it waits for; what is around it does
# not.

# HOT450: kept in Heat: User, Keys, Handle, Wait, Web.
# User: it is a stack user, who exists only in Heat.
# Keys: it is the key of a stack user, who exists only in Heat.
# Handle: it receives signals through Heat.
# Wait: it waits for signals to a handle in the same stack.
resource "openstack_orchestration_stack_v1" "web" {
  name             = "${var.stack_name}-web"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/web.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    KeyName = var.KeyName
    Group   = openstack_networking_secgroup_v2.group.id
  }
}

resource "openstack_networking_secgroup_v2" "group" {
  name        = "${var.stack_name}-Group"
  description = "Web"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "openstack_compute_instance_v2" "database" {
  name        = "${var.stack_name}-Database"
  image_name  = "cirros"
  flavor_name = "m1.small"

  # HOT562: Heat wraps this in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged.
  user_data = chomp(<<-EOT
    #!/bin/sh
    echo database
  EOT
  )
}

resource "openstack_blockstorage_volume_v3" "data" {
  name              = "${var.stack_name}-Data"
  description       = "${var.stack_name}-Data"
  size              = 5
  availability_zone = lookup(local.web, "Web_AvailabilityZone", null)
}

# HOT401: Device is dropped: the hypervisor chooses the device; another name would be a change in each plan.
resource "openstack_compute_volume_attach_v2" "attached" {
  instance_id = lookup(local.web, "Web", null)
  volume_id   = openstack_blockstorage_volume_v3.data.id
}

resource "openstack_networking_floatingip_v2" "address" {
  pool    = data.openstack_networking_network_v2.external.name
  port_id = data.openstack_networking_port_v2.web.id
}
