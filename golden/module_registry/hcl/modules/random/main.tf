# Converted from random.yaml by hot2tf.

resource "openstack_networking_network_v2" "net" {
  name = "random-${var.length}"
}
