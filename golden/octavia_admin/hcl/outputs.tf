# Converted from input.yaml by hot2tf.

output "profile" {
  value = openstack_lb_flavor_v2.flavor.flavor_profile_id
}
