# Made by hot2tf from input.yaml

resource "openstack_blockstorage_volume_v3" "volume" {
  name        = var.motd
  description = var.script
  size        = 1
}
