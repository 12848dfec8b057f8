# Made by hot2tf from app.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "port"
  network_id = var.network
}

resource "openstack_blockstorage_volume_v3" "volume" {
  name = "volume"
  size = 1
}

resource "openstack_blockstorage_volume_v3" "copy" {
  name          = "copy"
  source_vol_id = openstack_blockstorage_volume_v3.volume.id
  size          = openstack_blockstorage_volume_v3.volume.size
}
