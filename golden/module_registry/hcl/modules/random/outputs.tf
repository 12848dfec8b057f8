# Made by hot2tf from random.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

output "value" {
  value = openstack_networking_network_v2.net.name
}
