# Converted from input.yaml by hot2tf.

data "openstack_compute_instance_v2" "restart_others_first" {
  id = var.existing
}
