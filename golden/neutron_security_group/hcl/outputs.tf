# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "id" {
  value = openstack_networking_secgroup_v2.web.id
}
