# Made by hot2tf from member.yaml: hot2tf convert input.yaml --tests -o DIR

output "port" {
  value = openstack_networking_port_v2.port.id
}
