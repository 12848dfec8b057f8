# Converted from input.yaml by hot2tf.

output "address" {
  value = openstack_networking_floatingip_v2.one.address
}

output "id" {
  value = openstack_networking_floatingip_v2.two.id
}
