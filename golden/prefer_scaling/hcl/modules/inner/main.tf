# Made by hot2tf from inner.yaml

# A group in a nested template.

# HOT560: group no longer scales by itself: var.group_size sets its size.
resource "openstack_blockstorage_volume_v3" "group" {
  count = var.group_size

  name = "${var.stack_name}-group-${count.index}"
  size = 5
}
