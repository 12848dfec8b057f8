# Made by hot2tf from input.yaml

# Attributes that the native resource has as arguments, and addresses whose subnet is known.

resource "openstack_networking_network_v2" "net" {
  name = "inner"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "inner"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_port_v2" "free" {
  name       = "free"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_port_v2" "fixed" {
  name       = "fixed"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_secgroup_v2" "group" {
  name = "group"
}

resource "openstack_networking_secgroup_rule_v2" "rule" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
  remote_ip_prefix  = "10.0.0.0/8"
}

resource "openstack_compute_instance_v2" "server" {
  name        = "server"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.free.id
  }

  network {
    name = var.public
  }
}

# HOT457: the provider does not read show of rule; Heat does.
resource "openstack_orchestration_stack_v1" "rule_attributes" {
  name             = "${var.stack_name}-rule-attributes"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/rule_attributes.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    rule = openstack_networking_secgroup_rule_v2.rule.id
  }

  # Heat cannot point this stack at another resource, so it is replaced.
  lifecycle {
    replace_triggered_by = [openstack_networking_secgroup_rule_v2.rule.id]
  }
}
