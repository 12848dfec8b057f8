# Made by hot2tf from input.yaml

output "address" {
  value = openstack_networking_port_v2.port.all_fixed_ips[0]
}

output "mac" {
  value = openstack_networking_port_v2.port.mac_address
}

output "network" {
  value = openstack_networking_port_v2.port.network_id
}

output "groups" {
  value = tolist(openstack_networking_port_v2.port.all_security_group_ids)
}
