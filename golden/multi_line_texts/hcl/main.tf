# Made by hot2tf: hot2tf convert input.yaml -e values.env.yaml -o DIR

resource "openstack_blockstorage_volume_v3" "volume" {
  name        = var.motd
  description = var.script
  size        = 1
}
