# Converted from input.yaml by hot2tf.

# above an output
output "mac" {
  value = openstack_networking_port_v2.port.mac_address
}

# The end.
