# Made by hot2tf from input.yaml

resource "openstack_networking_secgroup_v2" "group" {
  name = "peers"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_22" {
  for_each = toset(var.peers)

  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 22
  port_range_max    = 22
  remote_group_id   = data.openstack_networking_secgroup_v2.group_security_group[each.key].id
}
