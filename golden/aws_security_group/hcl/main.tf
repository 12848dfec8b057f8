# Made by hot2tf from input.yaml

resource "openstack_networking_secgroup_v2" "front" {
  name        = "${var.stack_name}-Front"
  description = "From outside"
}

resource "openstack_networking_secgroup_rule_v2" "front_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.front.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "openstack_networking_secgroup_rule_v2" "front_tcp_port" {
  security_group_id = openstack_networking_secgroup_v2.front.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = var.Port
  port_range_max    = var.Port
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "openstack_networking_secgroup_rule_v2" "front_icmp" {
  security_group_id = openstack_networking_secgroup_v2.front.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "openstack_networking_secgroup_rule_v2" "front_icmp_8" {
  security_group_id = openstack_networking_secgroup_v2.front.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  port_range_min    = 8
  port_range_max    = 1
  remote_ip_prefix  = "10.0.0.0/8"
}

# HOT402: Heat ignores CidrIp here: the rule has no ports, so it applies to every address.
resource "openstack_networking_secgroup_rule_v2" "front_udp" {
  security_group_id = openstack_networking_secgroup_v2.front.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "udp"
}

resource "openstack_networking_secgroup_v2" "back" {
  name                 = "${var.stack_name}-Back"
  description          = "From the front"
  delete_default_rules = true
}

resource "openstack_networking_secgroup_rule_v2" "back_tcp_3306" {
  security_group_id = openstack_networking_secgroup_v2.back.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 3306
  port_range_max    = 3306
  remote_group_id   = openstack_networking_secgroup_v2.front.id
}

resource "openstack_networking_secgroup_rule_v2" "back_tcp_22" {
  security_group_id = openstack_networking_secgroup_v2.back.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 22
  port_range_max    = 22
  remote_group_id   = data.openstack_networking_secgroup_v2.admin.id
}

resource "openstack_networking_secgroup_rule_v2" "back_egress_tcp_443" {
  security_group_id = openstack_networking_secgroup_v2.back.id
  direction         = "egress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 443
  port_range_max    = 443
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "openstack_networking_secgroup_v2" "bare" {
  name        = "${var.stack_name}-Bare"
  description = "Nothing"
}
