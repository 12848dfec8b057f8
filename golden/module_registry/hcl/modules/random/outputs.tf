# Made by hot2tf from random.yaml

output "value" {
  value = openstack_networking_network_v2.net.name
}
