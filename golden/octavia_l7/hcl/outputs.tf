# Converted from input.yaml by hot2tf.

output "policy" {
  value = openstack_lb_l7policy_v2.to_images.id
}
