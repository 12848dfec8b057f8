# Made by hot2tf from the running stack bare: hot2tf adopt EXPORT -o DIR

output "spares" {
  value = openstack_blockstorage_volume_v3.spare[*].id
}
