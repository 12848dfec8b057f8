# Converted from input.yaml by hot2tf.

# Heat uses the only external network.
data "openstack_networking_network_v2" "external" {
  external = true
}

data "openstack_networking_network_v2" "public" {
  name = "public"
}
