# Made by hot2tf from the running stack printed

resource "openstack_networking_network_v2" "net" {
  name = "printed"
}

resource "openstack_networking_port_v2" "pair" {
  count = 1

  name       = "printed-${count.index}"
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_blockstorage_volume_v3" "image" {
  name     = "printed"
  size     = var.size
  metadata = { word = var.password }

  # HOT716: metadata: Terraform would mark its value as sensitive, which is a change in a plan.
  lifecycle {
    ignore_changes = [metadata]
  }
}
