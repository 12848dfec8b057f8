# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "specs" {
  value = openstack_compute_flavor_v2.flavor.extra_specs
}
