# Made by hot2tf: hot2tf convert input.yaml -o DIR

# above an output
output "mac" {
  value = openstack_networking_port_v2.port.mac_address
}

# The end.
