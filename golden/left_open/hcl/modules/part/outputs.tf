# Converted from part.yaml by hot2tf.

output "port" {
  value = openstack_networking_port_v2.port.id
}
