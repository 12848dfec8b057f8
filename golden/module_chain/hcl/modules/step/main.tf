# Converted from step.yaml by hot2tf.

resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = var.size

  depends_on = [var.wait_for]
}
