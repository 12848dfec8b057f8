output "sorted" {
  value = jsondecode(local.outputs["sorted"])[0]
}

output "grouped" {
  value = jsondecode(local.outputs["grouped"])[0]
}

output "show" {
  value = jsondecode(local.net_attributes["net_attributes_show"])[0]
}

output "plain" {
  value = openstack_networking_network_v2.net.id
}
