# Made by hot2tf: hot2tf convert input.yaml -e env.yaml -o DIR

data "openstack_networking_network_v2" "controller_network_name" {
  name = var.controller.network.name
}
