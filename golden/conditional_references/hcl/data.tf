# Converted from input.yaml by hot2tf.

data "openstack_networking_network_v2" "network" {
  count = local.own ? 0 : 1

  name = var.network
}
