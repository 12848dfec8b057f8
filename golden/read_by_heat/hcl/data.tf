# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_network_v2" "network" {
  count = local.standby ? 1 : 0

  name = var.network
}
