# Converted from input.yaml by hot2tf.

data "openstack_compute_availability_zones_v2" "zones" {}
