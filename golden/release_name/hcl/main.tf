# Converted from input.yaml by hot2tf.

# A version may be spelled as the release that brought it.

resource "openstack_networking_network_v2" "net" {
  name = "a"
}
