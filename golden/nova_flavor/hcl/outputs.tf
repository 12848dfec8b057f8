# Converted from input.yaml by hot2tf.

output "specs" {
  value = openstack_compute_flavor_v2.flavor.extra_specs
}
