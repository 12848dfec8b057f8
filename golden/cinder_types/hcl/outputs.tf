# Converted from input.yaml by hot2tf.

output "type" {
  value = openstack_blockstorage_volume_type_v3.silver.id
}
