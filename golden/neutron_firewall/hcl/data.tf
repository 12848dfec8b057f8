# Converted from input.yaml by hot2tf.

data "openstack_networking_port_v2" "spare" {
  name = "spare"
}
