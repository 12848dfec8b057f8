# Converted from input.yaml by hot2tf.

output "name" {
  value = data.openstack_networking_network_v2.net.name
}
