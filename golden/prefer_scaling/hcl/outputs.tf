# Converted from input.yaml by hot2tf.

output "addresses" {
  value = module.workers[*].address
}

output "by_member" {
  value = { for index, member in module.workers : index => member.address }
}

output "workers" {
  value = length(module.workers)
}

output "disks" {
  value = openstack_blockstorage_volume_v3.disks[*].id
}

# HOT560: more exists only in Heat and is left out; this is null.
output "more_url" {
  value = null
}
