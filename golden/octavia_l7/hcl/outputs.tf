# Made by hot2tf from input.yaml

output "policy" {
  value = openstack_lb_l7policy_v2.to_images.id
}
