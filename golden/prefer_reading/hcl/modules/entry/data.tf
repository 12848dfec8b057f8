# Converted from entry.yaml by hot2tf.

data "openstack_networking_network_v2" "network" {
  name = var.network
}
