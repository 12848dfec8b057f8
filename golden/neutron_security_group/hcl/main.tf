# Made by hot2tf from input.yaml

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

resource "openstack_networking_secgroup_v2" "listed" {
  name                 = "listed"
  delete_default_rules = anytrue([for rule in var.open_ports : try(rule.direction, "ingress") == "egress"])
}

resource "openstack_networking_secgroup_rule_v2" "listed" {
  for_each = { for index, rule in var.open_ports : index => rule }

  security_group_id = openstack_networking_secgroup_v2.listed.id
  description       = try(each.value.description, null)
  direction         = try(each.value.direction, "ingress")
  ethertype         = try(each.value.ethertype, "IPv4")

  protocol = try(
    lookup({ icmpv6 = "ipv6-icmp", any = "" }, lower(each.value.protocol), lower(each.value.protocol)),
    null,
  )

  port_range_min = try(each.value.port_range_min, null)
  port_range_max = try(each.value.port_range_max, null)

  remote_ip_prefix = (try(each.value.remote_mode, "remote_ip_prefix") == "remote_group_id"
    ? null
    : try(each.value.remote_ip_prefix, null)
  )

  remote_group_id = (try(each.value.remote_mode, "remote_ip_prefix") == "remote_group_id"
    ? coalesce(try(each.value.remote_group_id, null), openstack_networking_secgroup_v2.listed.id)
    : null
  )
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
