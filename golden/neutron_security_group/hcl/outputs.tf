# Made by hot2tf from input.yaml

output "id" {
  value = openstack_networking_secgroup_v2.web.id
}
