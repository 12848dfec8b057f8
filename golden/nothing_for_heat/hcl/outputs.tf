# Made by hot2tf from input.yaml

output "disk" {
  value = random_uuid.disk.result
}

output "disk_size" {
  value = null
}

output "monitor" {
  value = one(random_uuid.monitor[*].result)
}

output "node" {
  value = module.node.addresses
}

output "interface" {
  value = module.site.interface
}

output "pools" {
  value = data.openstack_networking_subnet_v2.existing.allocation_pools
}

output "next_hop" {
  value = try(
    [for route in data.openstack_networking_subnet_v2.existing.host_routes : { destination = route.destination_cidr, nexthop = route.next_hop }][0].nexthop,
    null,
  )
}

output "outside" {
  value = (data.openstack_networking_router_v2.gateway.external_network_id == ""
    ? null
    : data.openstack_networking_router_v2.gateway.external_network_id
  )
}

output "member" {
  value = try(module.members[0].member.show, null)
}

# HOT201: There is no parameter elsewhere; Heat shows an error, and this is null.
output "undeclared" {
  value = null
}
