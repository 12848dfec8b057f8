# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "policy" {
  value = openstack_lb_l7policy_v2.to_images.id
}
