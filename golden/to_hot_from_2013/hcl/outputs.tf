# Made by hot2tf from input.yaml

output "address" {
  value = openstack_networking_port_v2.port.all_fixed_ips[0]
}

output "all" {
  value = openstack_networking_port_v2.group[*].mac_address
}

output "first" {
  value = try(openstack_networking_port_v2.group[0].id, null)
}
