# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "aggregate" {
  value = openstack_compute_aggregate_v2.fast.id
}
