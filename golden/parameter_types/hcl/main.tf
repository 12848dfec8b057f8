# Made by hot2tf from input.yaml

# One parameter of each type, with and without a default.

resource "openstack_networking_network_v2" "net" {
  name   = var.name
  shared = var.shared
  tags   = var.tags
  mtu    = var.mtu
}
