# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.50.0.0/24"
}

resource "openstack_networking_router_v2" "one" {
  name           = "one"
  admin_state_up = false
  value_specs    = { admin_state_up = "false" }
}

resource "openstack_networking_router_interface_v2" "into_one" {
  router_id = openstack_networking_router_v2.one.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_router_route_v2" "route" {
  router_id        = openstack_networking_router_v2.one.id
  destination_cidr = "172.16.0.0/16"
  next_hop         = "10.50.0.5"

  # The next hop must be in a network that the router is connected to.
  depends_on = [openstack_networking_router_interface_v2.into_one]
}

resource "openstack_networking_router_route_v2" "route_elsewhere" {
  router_id        = data.openstack_networking_router_v2.router.id
  destination_cidr = "172.17.0.0/16"
  next_hop         = "10.50.0.6"
}

resource "openstack_networking_router_v2" "two" {
  name = "two"
  # HOT421: The provider does not send admin_state_up = false when it creates the resource; a second apply does.
  admin_state_up = var.down
}

resource "openstack_networking_router_interface_v2" "into_two" {
  router_id = openstack_networking_router_v2.two.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_networking_router_routes_v2" "routes" {
  router_id = openstack_networking_router_v2.two.id

  routes {
    destination_cidr = "172.18.0.0/16"
    next_hop         = "10.50.0.7"
  }

  routes {
    destination_cidr = "fd00::/64"
    next_hop         = "fd00:1::7"
  }

  # The next hop must be in a network that the router is connected to.
  depends_on = [openstack_networking_router_interface_v2.into_two]
}

resource "openstack_networking_router_v2" "three" {
  name = "three"
}

resource "openstack_networking_router_routes_v2" "routes_of_a_list" {
  router_id = openstack_networking_router_v2.three.id

  dynamic "routes" {
    for_each = var.routes_as_json

    content {
      destination_cidr = try(routes.value.destination, null)
      next_hop         = try(routes.value.nexthop, null)
    }
  }
}

# HOT450: kept in Heat: routes_elsewhere.
# The provider removes all other routes of the router, and this router is not in the template.
resource "openstack_orchestration_stack_v1" "routes_elsewhere" {
  name             = "${var.stack_name}-routes-elsewhere"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/routes_elsewhere.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { router = var.router }
}

# HOT450: kept in Heat: routes_of_one.
# The provider removes all other routes of the router, such as those of route.
resource "openstack_orchestration_stack_v1" "routes_of_one" {
  name             = "${var.stack_name}-routes-of-one"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/routes_of_one.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    one = openstack_networking_router_v2.one.id
  }

  # The next hop must be in a network that the router is connected to.
  depends_on = [openstack_networking_router_interface_v2.into_one]
}
