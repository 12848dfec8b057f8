# Converted from outer.yaml by hot2tf.

data "openstack_networking_network_v2" "private" {
  name = "private"
}
