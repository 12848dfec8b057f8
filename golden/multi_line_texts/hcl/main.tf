# Converted from input.yaml by hot2tf.

resource "openstack_blockstorage_volume_v3" "volume" {
  name        = var.motd
  description = var.script
  size        = 1
}
