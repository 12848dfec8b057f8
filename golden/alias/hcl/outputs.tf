# Made by hot2tf: hot2tf convert input.yaml -e types.env.yaml -o DIR

output "name" {
  value = openstack_networking_network_v2.net.name
}
