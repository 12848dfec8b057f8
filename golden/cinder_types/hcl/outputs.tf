# Made by hot2tf from input.yaml

output "type" {
  value = openstack_blockstorage_volume_type_v3.silver.id
}
