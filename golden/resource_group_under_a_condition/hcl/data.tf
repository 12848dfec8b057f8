# Converted from input.yaml by hot2tf.

data "openstack_networking_network_v2" "private" {
  count = local.is_used ? 1 : 0

  name = "private"
}
