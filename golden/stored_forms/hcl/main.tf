# Made by hot2tf from input.yaml

# Values are written as services store them, or each plan would change them.

resource "openstack_networking_secgroup_v2" "group" {
  name = "group"
}

resource "openstack_networking_secgroup_rule_v2" "group_icmp" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv6"
  protocol          = "ipv6-icmp"
  remote_ip_prefix  = "2001:db8::/32"
}

resource "openstack_networking_secgroup_rule_v2" "group_icmp_2" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = var.family
  protocol          = var.family == "IPv6" ? "ipv6-icmp" : "icmp"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_1" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
}

resource "openstack_networking_secgroup_rule_v2" "group_udp_low" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "udp"
  port_range_min    = var.low == 1 && var.high == 65535 ? null : var.low
  port_range_max    = var.low == 1 && var.high == 65535 ? null : var.high
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_22" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 22
  port_range_max    = var.high
}

resource "openstack_networking_secgroup_v2" "listed" {
  name                 = "listed"
  delete_default_rules = anytrue([for rule in var.rules : try(rule.direction, "ingress") == "egress"])
}

resource "openstack_networking_secgroup_rule_v2" "listed" {
  for_each = { for index, rule in var.rules : index => rule }

  security_group_id = openstack_networking_secgroup_v2.listed.id
  description       = try(each.value.description, null)
  direction         = try(each.value.direction, "ingress")
  ethertype         = try(each.value.ethertype, "IPv4")

  protocol = try(
    lookup(
      merge(
        { icmpv6 = "ipv6-icmp", any = "" },
        try(each.value.ethertype, "IPv4") == "IPv6" ? { icmp = "ipv6-icmp", icmpv6 = "ipv6-icmp", "1" = "58" } : {},
      ),
      lower(each.value.protocol),
      lower(each.value.protocol),
    ),
    null,
  )

  port_range_min = (try("${each.value.port_range_min}-${each.value.port_range_max}", "") == "1-65535"
    ? null
    : try(each.value.port_range_min, null)
  )

  port_range_max = (try("${each.value.port_range_min}-${each.value.port_range_max}", "") == "1-65535"
    ? null
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

resource "openstack_networking_secgroup_rule_v2" "rule" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv6"
  protocol          = "58"
  remote_ip_prefix  = "2001:db8::1/128"
}

resource "openstack_networking_network_v2" "net" {
  name = "net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name            = "subnet"
  network_id      = openstack_networking_network_v2.net.id
  ip_version      = 6
  cidr            = "2001:db8::/64"
  gateway_ip      = "2001:db8::1"
  dns_nameservers = ["2001:db8::53"]

  allocation_pool {
    start = "2001:db8::10"
    end   = "2001:db8::ff"
  }
}

resource "openstack_networking_subnet_route_v2" "subnet" {
  subnet_id        = openstack_networking_subnet_v2.subnet.id
  destination_cidr = "2001:db8:0:1::/64"
  next_hop         = "2001:db8::5"
}

resource "openstack_networking_port_v2" "port" {
  name               = "port"
  network_id         = openstack_networking_network_v2.net.id
  mac_address        = lower(var.mac)
  no_security_groups = true

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.subnet.id
    ip_address = "2001:db8::11"
  }

  allowed_address_pairs {
    ip_address  = "2001:db8::12"
    mac_address = "fa:16:3e:00:00:0b"
  }
}

resource "openstack_networking_subnetpool_v2" "pool" {
  name              = "pool"
  prefixes          = ["10.0.0.0/15", "10.2.0.0/16"]
  default_prefixlen = 24
}

resource "openstack_networking_qos_policy_v2" "policy" {
  name = "policy"

  lifecycle {
    ignore_changes = [shared]
  }
}

resource "openstack_networking_rbac_policy_v2" "shared" {
  action        = "access_as_shared"
  object_id     = openstack_networking_qos_policy_v2.policy.id
  object_type   = "qos_policy"
  target_tenant = "*"
}
