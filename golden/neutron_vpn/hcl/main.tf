# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.10.0.0/24"
}

resource "openstack_networking_router_v2" "router" {
  name                = "edge"
  external_network_id = data.openstack_networking_network_v2.public.id
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}

resource "openstack_vpnaas_service_v2" "service" {
  name           = "vpn"
  description    = "to the other site"
  admin_state_up = true
  subnet_id      = openstack_networking_subnet_v2.subnet.id
  router_id      = openstack_networking_router_v2.router.id

  depends_on = [openstack_networking_router_interface_v2.interface]
}

resource "openstack_vpnaas_ike_policy_v2" "ike" {
  name                    = "ike"
  description             = "phase 1"
  auth_algorithm          = "sha256"
  encryption_algorithm    = "aes-256"
  pfs                     = "group14"
  phase1_negotiation_mode = "main"
  ike_version             = "v2"

  lifetime {
    units = "seconds"
    value = 7200
  }
}

resource "openstack_vpnaas_ipsec_policy_v2" "ipsec" {
  name                 = "ipsec"
  description          = "phase 2"
  auth_algorithm       = "sha256"
  encapsulation_mode   = "tunnel"
  encryption_algorithm = "aes-256"
  pfs                  = "group14"
  transform_protocol   = "esp"

  lifetime {
    value = 3600
  }
}

resource "openstack_vpnaas_ike_policy_v2" "plain_ike" {
  name = "${var.stack_name}-plain_ike"
}

# HOT450: kept in Heat: newer.
# The provider rejects 'group29' for pfs: it must be one of group2, group5, group14, group15,
# group16, group17, group18, group19, group20, group21, group22, group24, group31.
resource "openstack_orchestration_stack_v1" "newer" {
  name             = "${var.stack_name}-newer"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/newer.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_vpnaas_site_connection_v2" "connection" {
  name           = "connection"
  description    = "to the other site"
  admin_state_up = true
  ikepolicy_id   = openstack_vpnaas_ike_policy_v2.ike.id
  vpnservice_id  = openstack_vpnaas_service_v2.service.id
  ipsecpolicy_id = openstack_vpnaas_ipsec_policy_v2.ipsec.id
  peer_id        = "203.0.113.9"
  peer_address   = "203.0.113.9"
  psk            = var.secret
  initiator      = "response-only"
  peer_cidrs     = var.peers
  mtu            = 1400

  dpd {
    action   = "restart"
    timeout  = 90
    interval = 20
  }
}
