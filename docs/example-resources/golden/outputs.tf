# Converted from input.yaml by hot2tf.

output "size" {
  value = openstack_blockstorage_volume_v3.books.size
}
