# Made by hot2tf from step.yaml

output "id" {
  value = openstack_blockstorage_volume_v3.volume.id
}

output "volume_size" {
  value = openstack_blockstorage_volume_v3.volume.size
}
