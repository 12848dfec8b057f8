# Converted from member.yaml by hot2tf.

output "stack_id" {
  value = openstack_networking_port_v2.port.id
}
