# Converted from input.yaml by hot2tf.

output "name" {
  value = openstack_networking_network_v2.net.name
}
