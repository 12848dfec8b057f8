# Made by hot2tf from input.yaml

# above an output
output "mac" {
  value = openstack_networking_port_v2.port.mac_address
}

# The end.
