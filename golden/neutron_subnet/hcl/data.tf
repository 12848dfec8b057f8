# Converted from input.yaml by hot2tf.

data "openstack_networking_subnetpool_v2" "pool" {
  name = "pool"
}
