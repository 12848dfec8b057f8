# Made by hot2tf from input.yaml

output "ids" {
  value = openstack_networking_port_v2.ports[*].id
}

output "first" {
  value = try(openstack_networking_port_v2.ports[0].id, null)
}

output "macs" {
  value = openstack_networking_port_v2.ports[*].mac_address
}

output "one" {
  value = try(openstack_networking_port_v2.ports[1].mac_address, null)
}

output "map" {
  value = { for index, member in openstack_networking_port_v2.ports : index => member.id }
}

output "addresses" {
  value = openstack_compute_instance_v2.servers[*].access_ip_v4
}

output "attributes" {
  value = { for index, member in openstack_compute_instance_v2.servers : index => member.name }
}
