# Made by hot2tf from input.yaml

output "size" {
  value = openstack_blockstorage_volume_v3.volume.size
}

output "metadata" {
  value = jsonencode(openstack_blockstorage_volume_v3.volume.metadata)
}

output "type" {
  value = openstack_blockstorage_volume_v3.volume.volume_type
}
