# Made by hot2tf from input.yaml

output "second" {
  value = openstack_networking_network_v2.pair_1.id
}

output "refs" {
  value = [
    openstack_networking_network_v2.names_0.id,
    openstack_networking_router_v2.names_1.id,
    openstack_networking_network_v2.names_2.id,
  ]
}

output "names" {
  value = {
    "0" = openstack_networking_network_v2.names_0.name
    "1" = openstack_networking_router_v2.names_1.name
    "2" = openstack_networking_network_v2.names_2.name
  }
}

output "one" {
  value = openstack_networking_router_v2.names_1.id
}

output "name_of_one" {
  value = openstack_networking_router_v2.names_1.name
}
