# Made by hot2tf from input.yaml

# Rules with a 0, which the provider does not send.

resource "openstack_networking_secgroup_v2" "ping" {
  name = "ping"
}

resource "openstack_networking_secgroup_rule_v2" "ping_icmp_8" {
  security_group_id = openstack_networking_secgroup_v2.ping.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 8
  # HOT522: The provider does not send the code 0: the rule is for all codes of ICMP type 8, which has no other.
  port_range_max = 0
}

# several codes
resource "openstack_networking_secgroup_rule_v2" "ping_icmp_3" {
  security_group_id = openstack_networking_secgroup_v2.ping.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 3
  # HOT522: The provider does not send the code 0: the rule is for all codes of ICMP type 3.
  port_range_max = 0
}

# echo reply
# HOT522: The provider cannot say ICMP type 0, echo reply: the rule lets in all of ICMP.
resource "openstack_networking_secgroup_rule_v2" "ping_icmp_0" {
  security_group_id = openstack_networking_secgroup_v2.ping.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
}

resource "openstack_networking_secgroup_rule_v2" "ping_icmp_128" {
  security_group_id = openstack_networking_secgroup_v2.ping.id
  direction         = "ingress"
  ethertype         = "IPv6"
  protocol          = "ipv6-icmp"
  port_range_min    = 128
  # HOT522: The provider does not send the code 0: the rule is for all codes of ICMP type 128, which has no other.
  port_range_max = 0
}

resource "openstack_networking_secgroup_v2" "ports" {
  name = "ports"
}

resource "openstack_networking_secgroup_rule_v2" "ports_udp_0" {
  security_group_id = openstack_networking_secgroup_v2.ports.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "udp"
  # HOT522: The provider cannot say port 0: the rule begins at port 1.
  port_range_min = 1
  port_range_max = 1023
}

# HOT522: The provider cannot say port 0: the rule begins at port 1.
resource "openstack_networking_secgroup_rule_v2" "ports_tcp_0" {
  security_group_id = openstack_networking_secgroup_v2.ports.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
}

resource "openstack_networking_secgroup_rule_v2" "ports_sctp_low" {
  security_group_id = openstack_networking_secgroup_v2.ports.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "sctp"
  # HOT522: The provider cannot say port 0: the rule begins at port 1.
  port_range_min = max(var.low, 1)
  port_range_max = 9
}

resource "openstack_networking_secgroup_rule_v2" "alone" {
  security_group_id = openstack_networking_secgroup_v2.ports.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  # HOT522: The provider cannot say port 0: the rule begins at port 1.
  port_range_min = 1
  port_range_max = 20
}

resource "openstack_networking_secgroup_rule_v2" "any_code" {
  security_group_id = openstack_networking_secgroup_v2.ping.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 11
  port_range_max    = 0
}

resource "openstack_networking_secgroup_v2" "listed" {
  name                 = "listed"
  delete_default_rules = anytrue([for rule in var.rules : try(rule.direction, "ingress") == "egress"])
}

# HOT522: The provider cannot say port 0: the rule begins at port 1.
resource "openstack_networking_secgroup_rule_v2" "listed" {
  for_each = { for index, rule in var.rules : index => rule }

  security_group_id = openstack_networking_secgroup_v2.listed.id
  description       = try(each.value.description, null)
  direction         = try(each.value.direction, "ingress")
  ethertype         = try(each.value.ethertype, "IPv4")

  protocol = try(
    lookup({ icmpv6 = "ipv6-icmp", any = "" }, lower(each.value.protocol), lower(each.value.protocol)),
    null,
  )

  port_range_min = (!contains(["icmp", "icmpv6", "ipv6-icmp", "1", "58"], try(lower(each.value.protocol), "")) && try(tostring(try(each.value.port_range_min, null)), "") == "0"
    ? 1
    : try(each.value.port_range_min, null)
  )

  port_range_max = (contains(["icmp", "icmpv6", "ipv6-icmp", "1", "58"], try(lower(each.value.protocol), "")) && try(each.value.port_range_max, null) == null
    ? (try(each.value.port_range_min, null) == null ? null : 0)
    : try(each.value.port_range_max, null)
  )

  remote_ip_prefix = (try(each.value.remote_mode, "remote_ip_prefix") == "remote_group_id"
    ? null
    : try(each.value.remote_ip_prefix, null)
  )

  remote_group_id = (try(each.value.remote_mode, "remote_ip_prefix") == "remote_group_id"
    ? coalesce(try(each.value.remote_group_id, null), openstack_networking_secgroup_v2.listed.id)
    : null
  )
}
