# Made by hot2tf: hot2tf convert input.yaml -o DIR

# One parameter of each type, with and without a default.

resource "openstack_networking_network_v2" "net" {
  name   = var.name
  shared = var.shared
  tags   = var.tags
  mtu    = var.mtu
}
