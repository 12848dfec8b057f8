# Made by hot2tf: hot2tf convert input.yaml -o DIR

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

  environment_opts = {
    Bin = "{}"
  }

  parameters = {
    group = openstack_networking_secgroup_v2.group.id
  }
}

# HOT450: kept in Heat: echo.
# The provider never sends port_range_max = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "echo" {
  name             = "${var.stack_name}-echo"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/echo.yaml")
  }

  environment_opts = {
    Bin = "{}"
  }

  parameters = {
    group = openstack_networking_secgroup_v2.group.id
    code  = var.code
  }
}

# HOT450: kept in Heat: any_code.
# The provider rejects any_code: port_range_min requires port_range_max.
resource "openstack_orchestration_stack_v1" "any_code" {
  name             = "${var.stack_name}-any-code"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/any_code.yaml")
  }

  environment_opts = {
    Bin = "{}"
  }

  parameters = {
    group = openstack_networking_secgroup_v2.group.id
  }
}

# HOT450: kept in Heat: whole.
# The provider never sends port_range_min = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "whole" {
  name             = "${var.stack_name}-whole"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/whole.yaml")
  }

  environment_opts = {
    Bin = "{}"
  }
}

# HOT450: kept in Heat: of_a_list.
# The provider never sends port_range_min = 0, so it would have no effect.
resource "openstack_orchestration_stack_v1" "of_a_list" {
  name             = "${var.stack_name}-of-a-list"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/of_a_list.yaml.tftpl", {
      icmp_rules = var.icmp_rules
    })
  }

  environment_opts = {
    Bin = "{}"
  }
}
