# Made by hot2tf from step.yaml

resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = var.size
}
