# Converted from input.yaml by hot2tf.

output "address" {
  value = openstack_networking_port_v2.port.all_fixed_ips[0]
}

output "mac" {
  value = openstack_networking_port_v2.port.mac_address
}
