# Made by hot2tf from node.yaml

output "stack_id" {
  value = openstack_networking_network_v2.net.id
}

output "labels" {
  value = var.labels
}

output "label" {
  value = "${openstack_networking_network_v2.net.name} is ${var.number}"
}
