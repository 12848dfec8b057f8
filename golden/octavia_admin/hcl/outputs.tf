# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "profile" {
  value = openstack_lb_flavor_v2.flavor.flavor_profile_id
}
