# Made by hot2tf from input.yaml

output "address" {
  value = openstack_networking_floatingip_v2.one.address
}

output "id" {
  value = openstack_networking_floatingip_v2.two.id
}

output "pool" {
  value = data.openstack_networking_network_v2.public.id
}
