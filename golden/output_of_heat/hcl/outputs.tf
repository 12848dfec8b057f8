output "sorted" {
  value = try(jsondecode(lookup(local.outputs, "sorted", null))[0], null)
}

output "grouped" {
  value = try(jsondecode(lookup(local.outputs, "grouped", null))[0], null)
}

output "show" {
  value = try(jsondecode(lookup(local.net_attributes, "net_attributes_show", null)), null)
}

output "plain" {
  value = openstack_networking_network_v2.net.id
}
