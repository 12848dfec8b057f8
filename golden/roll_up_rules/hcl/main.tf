# Made by hot2tf from input.yaml

resource "openstack_networking_secgroup_v2" "web" {
  name                 = "web"
  delete_default_rules = true
}

# the world
resource "openstack_networking_secgroup_rule_v2" "web_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
  description       = "http"
}

resource "openstack_networking_secgroup_rule_v2" "web_tcp_443" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 443
  port_range_max    = 443
  description       = "https"
}

# administrators
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

resource "openstack_networking_secgroup_rule_v2" "web_egress" {
  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = "egress"
  ethertype         = "IPv6"
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

resource "openstack_networking_secgroup_rule_v2" "from_web" {
  security_group_id = openstack_networking_secgroup_v2.db.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
  remote_group_id   = openstack_networking_secgroup_v2.web.id
}

resource "openstack_networking_secgroup_rule_v2" "from_everywhere" {
  count = local.open ? 1 : 0

  security_group_id = openstack_networking_secgroup_v2.db.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "icmp"
}
