# Made by hot2tf from member.yaml

resource "openstack_networking_port_v2" "port" {
  name       = try(var.physical_names["port"], "${var.stack_name}-port")
  network_id = var.network
}

resource "openstack_blockstorage_volume_v3" "disk" {
  name     = try(var.physical_names["disk"], "${var.stack_name}-disk")
  size     = 1
  metadata = { stack = var.stack_name, id = var.stack_id, member = var.index }
}
