# Converted from input.yaml by hot2tf.

data "openstack_networking_network_v2" "network" {
  count = local.standby ? 1 : 0

  name = var.network
}
