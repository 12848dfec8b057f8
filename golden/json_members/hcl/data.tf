# Converted from input.yaml by hot2tf.

data "openstack_networking_network_v2" "controller_network_name" {
  name = var.controller.network.name
}
