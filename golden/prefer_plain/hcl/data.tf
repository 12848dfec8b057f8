# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

data "openstack_networking_network_v2" "network" {
  name = var.network
}
