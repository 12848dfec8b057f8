# Made by hot2tf from input.yaml

# Rules for all combinations of several lists.

resource "openstack_networking_secgroup_v2" "group" {
  name = "group"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_port" {
  for_each = { for p in setproduct(["80", "443"], var.networks) : join("-", p) => p }

  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = each.value[0]
  port_range_max    = each.value[0]
  remote_ip_prefix  = each.value[1]
}

resource "openstack_networking_secgroup_v2" "guarded" {
  name = "guarded"
}

resource "openstack_networking_secgroup_rule_v2" "guarded_tcp_port" {
  for_each = {
    for p in setproduct(["80", "443"], var.networks) :
    join("-", p) => p
    if local.is_open
  }

  security_group_id = openstack_networking_secgroup_v2.guarded.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = each.value[0]
  port_range_max    = each.value[0]
  remote_ip_prefix  = each.value[1]
}
