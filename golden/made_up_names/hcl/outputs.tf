# Made by hot2tf from input.yaml

output "net_name" {
  value = openstack_networking_network_v2.net.name
}

output "volume_name" {
  value = openstack_blockstorage_volume_v3.volume.name
}

output "port_names" {
  value = openstack_networking_port_v2.ports[*].name
}
