# Made by hot2tf from input.yaml

output "id" {
  value = openstack_networking_network_v2.net.id
}

output "mtu" {
  value = openstack_networking_network_v2.net.mtu
}

output "project" {
  value = openstack_networking_network_v2.net.tenant_id
}

output "status" {
  value = openstack_networking_network_v2.unnamed.admin_state_up
}
