# Converted from input.yaml by hot2tf.

output "ip" {
  value = openstack_networking_floatingip_v2.address.address
}
