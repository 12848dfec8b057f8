# Made by hot2tf from input.yaml

resource "openstack_networking_secgroup_v2" "group" {
  name = "ports"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_port" {
  for_each = toset(var.ports)

  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = each.value
  port_range_max    = each.value
}
