# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  count = local.own ? 0 : 1

  name = var.network
}
