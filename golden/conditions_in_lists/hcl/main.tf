# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name            = "${var.stack_name}-subnet"
  network_id      = openstack_networking_network_v2.net.id
  cidr            = "10.0.0.0/24"
  dns_nameservers = concat(["192.0.2.53"], local.has_dns ? [var.dns] : [])
}

resource "openstack_networking_secgroup_v2" "group" {
  name = "g"
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_80" {
  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 80
  port_range_max    = 80
}

resource "openstack_networking_secgroup_rule_v2" "group_tcp_9100" {
  count = local.has_metrics ? 1 : 0

  security_group_id = openstack_networking_secgroup_v2.group.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = "tcp"
  port_range_min    = 9100
  port_range_max    = 9100
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    uuid = openstack_networking_network_v2.net.id
  }

  dynamic "network" {
    for_each = local.has_dns ? [1] : []

    content {
      name = "dns-net"
    }
  }

  metadata = merge({ always = 1 }, { for k, v in { sometimes = "yes" } : k => v if local.has_metrics })

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}
