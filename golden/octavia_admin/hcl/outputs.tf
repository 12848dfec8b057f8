# Made by hot2tf from input.yaml

output "profile" {
  value = openstack_lb_flavor_v2.flavor.flavor_profile_id
}
