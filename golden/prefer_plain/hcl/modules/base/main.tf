# Made by hot2tf from base.yaml

resource "openstack_networking_network_v2" "network" {
  name = "inside"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "inside"
  network_id = openstack_networking_network_v2.network.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_router_v2" "router" {
  name = "inside"
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_secgroup_v2" "group" {
  name = "web"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_443" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 443
  port_range_max    = 443
}

resource "openstack_blockstorage_volume_v3" "volume" {
  name = "base"
  size = 1
}
