# Made by hot2tf from input.yaml

resource "openstack_blockstorage_volume_v3" "data" {
  name = "${var.stack_name}-data"
  size = 1

  # HOT503: Heat leaves this behind (deletion_policy Retain). Terraform refuses to
  # destroy it; "terraform state rm" releases it.
  lifecycle {
    prevent_destroy = true
  }
}

resource "openstack_blockstorage_volume_v3" "backup" {
  name = "${var.stack_name}-backup"
  size = 2

  # HOT504: Heat takes a snapshot before it deletes this (deletion_policy Snapshot).
  # Terraform cannot, so it refuses to delete it: take one, then remove this block.
  lifecycle {
    prevent_destroy = true
  }
}

# HOT506: the metadata of this resource is dropped: agents read it through Heat.
resource "openstack_blockstorage_volume_v3" "scratch" {
  name = "${var.stack_name}-scratch"
  size = 3
}

resource "openstack_networking_network_v2" "servers" {
  count = 2

  name = "net-${count.index}"
}
