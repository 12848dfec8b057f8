# Made by hot2tf from input.yaml

output "trunk" {
  value = openstack_networking_trunk_v2.trunk.id
}
