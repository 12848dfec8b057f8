# Made by hot2tf from input.yaml

output "Address" {
  value = openstack_networking_floatingip_v2.alone.address
}

output "Allocation" {
  value = openstack_networking_floatingip_v2.alone.id
}

output "Zone" {
  value = var.Zone
}

output "Vpc" {
  value = openstack_networking_network_v2.vpc.id
}
