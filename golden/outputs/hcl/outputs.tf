# Made by hot2tf from input.yaml

output "id" {
  description = "ID of the network"
  value       = openstack_networking_network_v2.net.id
}

output "name" {
  value = openstack_networking_network_v2.net.name
}

output "port" {
  value = one(openstack_networking_port_v2.port[*].mac_address)
}

output "inline" {
  value = "always"
}

output "nothing" {
  value = null
}

output "number" {
  value = 42
}

output "list" {
  value = [1, "two", openstack_networking_network_v2.net.id]
}

output "map" {
  value = {
    net       = openstack_networking_network_v2.net.id
    "odd key" = 1
  }
}
