# Made by hot2tf from input.yaml

output "aggregate" {
  value = openstack_compute_aggregate_v2.fast.id
}
