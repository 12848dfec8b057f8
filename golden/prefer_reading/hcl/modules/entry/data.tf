# Made by hot2tf from entry.yaml

data "openstack_networking_network_v2" "network" {
  name = var.network
}
