# Made by hot2tf from worker.yaml

resource "openstack_blockstorage_volume_v3" "own" {
  name     = "${var.stack_name}-own"
  size     = 2
  metadata = { original = var.disk }
}
