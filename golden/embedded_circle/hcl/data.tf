# Converted from input.yaml by hot2tf.

data "openstack_networking_network_v2" "private" {
  name = "private"
}
