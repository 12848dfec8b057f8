# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  name = var.network
}
