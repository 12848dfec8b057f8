# Converted from random.yaml by hot2tf.

output "value" {
  value = openstack_networking_network_v2.net.name
}
