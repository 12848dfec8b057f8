# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "type" {
  value = openstack_blockstorage_volume_type_v3.silver.id
}
