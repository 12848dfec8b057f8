# Made by hot2tf from input.yaml

output "first" {
  value = module.steps_0.id
}

output "inner" {
  value = module.steps_2.volume_size
}

output "plain" {
  value = openstack_blockstorage_volume_v3.steps_1.size
}
