# Converted from input.yaml by hot2tf.

data "openstack_networking_secgroup_v2" "front" {
  name = "front"
}
