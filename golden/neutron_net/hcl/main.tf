# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name                  = "net"
  admin_state_up        = true
  shared                = false
  port_security_enabled = true
  dns_domain            = "example.org."
  qos_policy_id         = data.openstack_networking_qos_policy_v2.gold.id
  tags                  = ["a", "b"]
  external              = true
  mtu                   = 1400
}

resource "openstack_networking_network_v2" "unnamed" {
  name = "${var.stack_name}-unnamed"
}

resource "openstack_networking_network_v2" "provider" {
  name     = "vlan"
  shared   = true
  external = false

  segments {
    network_type     = "vlan"
    physical_network = "physnet1"
    segmentation_id  = 42
  }
}
