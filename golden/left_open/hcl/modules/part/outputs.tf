# Made by hot2tf from part.yaml

output "port" {
  value = openstack_networking_port_v2.port.id
}
