# Made by hot2tf from input.yaml

resource "openstack_networking_secgroup_v2" "group" {
  name = "pings"
}

resource "openstack_networking_secgroup_rule_v2" "unreachable" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 3
  port_range_max    = 4
}

# HOT450: kept in Heat: answer.
# The provider never sends port_range_min = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "answer" {
  name             = "${var.stack_name}-answer"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/answer.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    group = openstack_networking_secgroup_v2.group.id
  }
}

resource "openstack_networking_secgroup_rule_v2" "echo" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 8
  # HOT522: The provider does not send the code 0: the rule is for all codes of ICMP type 8, which has no other.
  port_range_max = var.code
}

# The provider wants a code, and does not send 0.
resource "openstack_networking_secgroup_rule_v2" "any_code" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 11
  port_range_max    = 0
}

# HOT450: kept in Heat: whole.
# The provider never sends port_range_min = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "whole" {
  name             = "${var.stack_name}-whole"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/whole.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: of_a_list.
# The provider never sends port_range_min = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "of_a_list" {
  name             = "${var.stack_name}-of-a-list"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/of_a_list.yaml.tftpl", { icmp_rules = var.icmp_rules })
  }

  environment_opts = { Bin = "{}" }
}
