# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "size" {
  value = openstack_blockstorage_volume_v3.books.size
}
