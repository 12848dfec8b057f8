# Converted from input.yaml by hot2tf.

output "aggregate" {
  value = openstack_compute_aggregate_v2.fast.id
}
