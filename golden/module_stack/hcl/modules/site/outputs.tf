# Made by hot2tf from site.yaml

output "network" {
  value = openstack_networking_network_v2.network.id
}

output "subnet" {
  value = openstack_networking_subnet_v2.subnet.cidr
}

output "zones" {
  value = var.zones
}
