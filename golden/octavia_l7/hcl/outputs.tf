output "policy" {
  value = openstack_lb_l7policy_v2.to_images.id
}
