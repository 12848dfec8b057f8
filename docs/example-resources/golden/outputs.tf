# Made by hot2tf from input.yaml

output "size" {
  value = openstack_blockstorage_volume_v3.books.size
}
