# Converted from outer.yaml by hot2tf.

module "inner" {
  source   = "../app"
  network  = data.openstack_networking_network_v2.private.id
  wait_for = [var.wait_for]
}
