# Made by hot2tf from input.yaml

# To Heat, null is the same as a property that is not there.

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = data.openstack_networking_network_v2.private.id
  cidr       = "10.0.0.0/24"

  dynamic "allocation_pool" {
    for_each = local.is_used ? [1] : []

    content {
      start = "10.0.0.4"
      end   = "10.0.0.9"
    }
  }
}

resource "openstack_networking_subnet_route_v2" "subnet" {
  for_each = { for i, route in local.subnet_routes : i => route }

  subnet_id        = openstack_networking_subnet_v2.subnet.id
  destination_cidr = each.value.destination
  next_hop         = each.value.nexthop
}

resource "openstack_networking_port_v2" "port" {
  name               = local.is_used ? "used" : ""
  network_id         = data.openstack_networking_network_v2.private.id
  security_group_ids = local.is_used ? [data.openstack_networking_secgroup_v2.web[0].id] : []
  no_security_groups = local.is_used ? null : true

  dynamic "fixed_ip" {
    for_each = local.is_used ? [1] : []

    content {
      subnet_id = data.openstack_networking_subnet_v2.private_subnet[0].id
    }
  }

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_route_v2.subnet]
}
