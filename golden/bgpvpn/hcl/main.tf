# Made by hot2tf from input.yaml

# A BGP VPN with a network, a router and a port

resource "openstack_bgpvpn_v2" "vpn" {
  name           = "branch"
  type           = "l3"
  route_targets  = ["${var.as_number}:1"]
  export_targets = ["64512:7"]
  local_pref     = var.local_pref
}

# HOT401: description is dropped: neither the provider nor the API has a description.
resource "openstack_bgpvpn_v2" "unnamed" {
  name       = "${var.stack_name}-unnamed"
  type       = "l2"
  project_id = data.openstack_identity_project_v3.research.id
}

resource "openstack_networking_network_v2" "net" {
  name = "${var.stack_name}-net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "198.51.100.0/24"
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_bgpvpn_network_associate_v2" "join_net" {
  bgpvpn_id  = openstack_bgpvpn_v2.vpn.id
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_bgpvpn_router_associate_v2" "join_router" {
  bgpvpn_id = openstack_bgpvpn_v2.vpn.id
  router_id = data.openstack_networking_router_v2.edge_router.id
}

resource "openstack_bgpvpn_port_associate_v2" "join_port" {
  bgpvpn_id           = openstack_bgpvpn_v2.vpn.id
  port_id             = openstack_networking_port_v2.port.id
  advertise_fixed_ips = true

  routes {
    type       = "prefix"
    prefix     = "203.0.113.0/24"
    local_pref = 200
  }
}

# HOT450: kept in Heat: leak.
# The provider rejects 'bgpvpn' for routes.type: it must be one of prefix, bgpvpn_id.
resource "openstack_orchestration_stack_v1" "leak" {
  name             = "${var.stack_name}-leak"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/leak.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    unnamed = openstack_bgpvpn_v2.unnamed.id
    port    = openstack_networking_port_v2.port.id
    vpn     = openstack_bgpvpn_v2.vpn.id
  }
}
