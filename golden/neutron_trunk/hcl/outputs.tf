# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "trunk" {
  value = openstack_networking_trunk_v2.trunk.id
}
