# Made by hot2tf from part.yaml

resource "openstack_networking_port_v2" "port" {
  name               = "first"
  network_id         = var.network
  security_group_ids = var.groups
  no_security_groups = length(var.groups) == 0 ? true : null
}

resource "openstack_networking_port_v2" "second" {
  count = local.has_other ? 1 : 0

  name       = "second"
  network_id = var.other
}

resource "openstack_networking_secgroup_v2" "rules" {
  name = "rules"

  delete_default_rules = anytrue([
    for rule in [
      for peer in var.peers : {
        protocol        = "tcp"
        remote_mode     = "remote_group_id"
        remote_group_id = peer
      }
    ] :
    try(rule.direction, "ingress") == "egress"
  ])
}

resource "openstack_networking_secgroup_rule_v2" "rules" {
  for_each = {
    for index, rule in [
      for peer in var.peers : {
        protocol        = "tcp"
        remote_mode     = "remote_group_id"
        remote_group_id = peer
      }
    ] :
    index => rule
  }

  security_group_id = openstack_networking_secgroup_v2.rules.id
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
    ? coalesce(try(each.value.remote_group_id, null), openstack_networking_secgroup_v2.rules.id)
    : null
  )
}
