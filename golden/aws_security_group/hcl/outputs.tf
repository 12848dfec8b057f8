# Made by hot2tf from input.yaml

output "Group" {
  value = openstack_networking_secgroup_v2.front.id
}
