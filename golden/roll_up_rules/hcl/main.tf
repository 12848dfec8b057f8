# Made by hot2tf from input.yaml

resource "openstack_networking_secgroup_v2" "web" {
  name                 = "web"
  delete_default_rules = true
}

# web_tcp_80:
#  the world
# web_tcp_22:
#  administrators
resource "openstack_networking_secgroup_rule_v2" "web" {
  for_each = local.web_rules

  security_group_id = openstack_networking_secgroup_v2.web.id
  direction         = each.value.direction
  ethertype         = each.value.ethertype
  protocol          = lookup(each.value, "protocol", null)
  port_range_min    = lookup(each.value, "port_range_min", null)
  port_range_max    = lookup(each.value, "port_range_min", null)
  description       = lookup(each.value, "description", null)
  remote_ip_prefix  = lookup(each.value, "remote_ip_prefix", null)
  remote_group_id   = lookup(each.value, "remote_group_id", null)
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
