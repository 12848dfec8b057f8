# Made by hot2tf from site.yaml: hot2tf convert input.yaml -o DIR

output "network" {
  value = openstack_networking_network_v2.network.id
}

output "subnet" {
  value = openstack_networking_subnet_v2.subnet.cidr
}

output "zones" {
  value = var.zones
}
