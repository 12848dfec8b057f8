# Made by hot2tf from input.yaml

output "net" {
  value = one(openstack_networking_network_v2.net[*].name)
}

output "second" {
  value = one(openstack_networking_port_v2.second[*].mac_address)
}
