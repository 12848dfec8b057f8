# Converted from input.yaml by hot2tf.

data "openstack_networking_port_v2" "tagged" {
  name = var.tagged
}

data "openstack_networking_port_v2" "other_parent" {
  name = "other-parent"
}
