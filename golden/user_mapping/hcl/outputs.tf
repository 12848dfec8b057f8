# Made by hot2tf from input.yaml

output "mtu" {
  value = openstack_networking_network_v2.books.mtu
}

output "tills" {
  value = openstack_blockstorage_volume_v3.tills[*].id
}
