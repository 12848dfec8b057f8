# Made by hot2tf from infra.yaml

output "network" {
  value = openstack_networking_network_v2.net.id
}

output "cidr" {
  value = openstack_networking_subnet_v2.subnet.cidr
}
