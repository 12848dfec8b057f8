# Converted from node.yaml by hot2tf.

output "stack_id" {
  value = openstack_networking_network_v2.net.id
}

output "label" {
  value = "${openstack_networking_network_v2.net.name} is ${var.number}"
}
