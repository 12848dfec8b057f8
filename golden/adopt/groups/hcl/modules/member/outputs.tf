# Made by hot2tf from member.yaml

output "stack_id" {
  value = openstack_networking_port_v2.port.id
}
