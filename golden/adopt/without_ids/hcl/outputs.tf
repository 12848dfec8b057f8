# Made by hot2tf from the running stack bare

output "spares" {
  value = openstack_blockstorage_volume_v3.spare[*].id
}
