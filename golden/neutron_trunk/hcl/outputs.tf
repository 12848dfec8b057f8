# Converted from input.yaml by hot2tf.

output "trunk" {
  value = openstack_networking_trunk_v2.trunk.id
}
