# Converted from input.yaml by hot2tf.

output "size" {
  value = openstack_blockstorage_volume_v3.volume.size
}

output "type" {
  value = openstack_blockstorage_volume_v3.volume.volume_type
}
