# Made by hot2tf: hot2tf convert input.yaml --roll-up -o DIR

# The addresses of a conversion without --roll-up: a state that has them follows. Without such a state, this file
# may go.

moved {
  from = openstack_networking_secgroup_rule_v2.web_tcp_80
  to   = openstack_networking_secgroup_rule_v2.web["web_tcp_80"]
}

moved {
  from = openstack_networking_secgroup_rule_v2.web_tcp_443
  to   = openstack_networking_secgroup_rule_v2.web["web_tcp_443"]
}

moved {
  from = openstack_networking_secgroup_rule_v2.web_tcp_22
  to   = openstack_networking_secgroup_rule_v2.web["web_tcp_22"]
}

moved {
  from = openstack_networking_secgroup_rule_v2.web_any
  to   = openstack_networking_secgroup_rule_v2.web["web_any"]
}

moved {
  from = openstack_networking_secgroup_rule_v2.web_egress
  to   = openstack_networking_secgroup_rule_v2.web["web_egress"]
}

moved {
  from = openstack_networking_secgroup_rule_v2.db_tcp_5432
  to   = openstack_networking_secgroup_rule_v2.db["db_tcp_5432"]
}

moved {
  from = openstack_networking_secgroup_rule_v2.from_web
  to   = openstack_networking_secgroup_rule_v2.db["from_web"]
}
