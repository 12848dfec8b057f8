# Made by hot2tf from input.yaml

output "sorted" {
  value = jsondecode(lookup(local.outputs, "sorted", "[null]"))[0]
}

output "grouped" {
  value = jsondecode(lookup(local.outputs, "grouped", "[null]"))[0]
}

output "show" {
  value = jsondecode(lookup(local.net_attributes, "net_attributes_show", "[null]"))[0]
}

output "plain" {
  value = openstack_networking_network_v2.net.id
}
