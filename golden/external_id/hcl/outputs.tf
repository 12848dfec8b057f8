# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "name" {
  value = data.openstack_networking_network_v2.net.name
}
