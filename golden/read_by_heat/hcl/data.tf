# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  count = local.standby ? 1 : 0

  name = var.network
}
