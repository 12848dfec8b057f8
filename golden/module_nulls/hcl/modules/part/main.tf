# Made by hot2tf from part.yaml

resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = 1
}
