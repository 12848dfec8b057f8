resource "openstack_networking_secgroup_v2" "web" {
  name                 = "web"
  description          = "HTTP from everywhere"
  delete_default_rules = true
}

resource "openstack_networking_secgroup_rule_v2" "web_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
  description       = "web"
}

resource "openstack_networking_secgroup_rule_v2" "web_tcp_22" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 22
  port_range_max    = 22
  remote_ip_prefix  = var.admin
}

resource "openstack_networking_secgroup_rule_v2" "web_any" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv4"
  remote_group_id   = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_secgroup_rule_v2" "web_icmpv6" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv6"
  protocol          = "ipv6-icmp"
}

resource "openstack_networking_secgroup_rule_v2" "web_egress" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "egress"
  ethertype         = "IPv4"
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "openstack_networking_secgroup_v2" "db" {
  name = "db"
}

resource "openstack_networking_secgroup_rule_v2" "db_tcp_5432" {
  security_group_id = openstack_networking_secgroup_v2.db.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 5432
  port_range_max    = 5432
  remote_group_id   = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_secgroup_rule_v2" "db_icmp" {
  count = local.tight ? 1 : 0

  security_group_id = openstack_networking_secgroup_v2.db.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  remote_ip_prefix  = var.admin
}

resource "openstack_networking_secgroup_rule_v2" "db_icmp_2" {
  count = local.tight ? 0 : 1

  security_group_id = openstack_networking_secgroup_v2.db.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
}

# HOT450: kept as Heat: listed.
# The provider refuses listed: remote_group_id excludes remote_ip_prefix.
resource "openstack_orchestration_stack_v1" "listed" {
  name             = "${var.stack_name}-listed"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/listed.yaml")
  }

  parameters = {
    open_ports = jsonencode(var.open_ports)
  }
}

resource "openstack_networking_secgroup_v2" "bare" {
  name = "${var.stack_name}-bare"
}

resource "openstack_networking_secgroup_rule_v2" "rule" {
  security_group_id = openstack_networking_secgroup_v2.bare.id
  direction         = "egress"
  ethertype         = "IPv4"
  protocol          = "udp"
  port_range_min    = 53
  port_range_max    = 53
  remote_group_id   = openstack_networking_secgroup_v2.web.id
}
