# Converted from part.yaml by hot2tf.

resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = 1
}
