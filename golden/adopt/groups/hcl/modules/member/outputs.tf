# Made by hot2tf from member.yaml: hot2tf adopt EXPORT -o DIR

output "stack_id" {
  value = openstack_networking_port_v2.port.id
}
