# Made by hot2tf from step.yaml: hot2tf convert input.yaml -e env.yaml -o DIR

resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = var.size
}
