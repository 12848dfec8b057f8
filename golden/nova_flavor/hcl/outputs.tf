# Made by hot2tf from input.yaml

output "specs" {
  value = openstack_compute_flavor_v2.flavor.extra_specs
}
