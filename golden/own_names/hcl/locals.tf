# Converted from input.yaml by hot2tf.

locals {
  names = {
    network  = openstack_networking_network_v2.net.name
    external = "public"
  }
}
