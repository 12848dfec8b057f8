# Made by hot2tf from part.yaml: hot2tf convert input.yaml -o DIR

output "port" {
  value = openstack_networking_port_v2.port.id
}
