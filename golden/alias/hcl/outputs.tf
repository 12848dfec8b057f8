# Made by hot2tf from input.yaml

output "name" {
  value = openstack_networking_network_v2.net.name
}
