# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "controller_network_name" {
  name = var.controller.network.name
}
