# Made by hot2tf from input.yaml

output "addresses" {
  value = module.workers[*].address
}

output "second" {
  value = try(module.workers[1].address, null)
}

output "workers" {
  value = length(module.workers)
}

output "disks" {
  value = openstack_blockstorage_volume_v3.disks[*].id
}

output "first_size" {
  value = openstack_blockstorage_volume_v3.disks[0].size
}

output "between" {
  value = length(openstack_blockstorage_volume_v3.between)
}
