# Made by hot2tf from part.yaml

# One part of an application.

resource "openstack_networking_secgroup_v2" "group" {
  name        = var.name
  description = var.note
}

# comes with the part
resource "openstack_networking_port_v2" "port" {
  name               = "${var.name}-${var.size}-${local.port_tier_text}"
  network_id         = var.network
  admin_state_up     = var.public
  security_group_ids = [openstack_networking_secgroup_v2.group.id]
}

resource "openstack_blockstorage_volume_v3" "volume" {
  count = local.is_public ? 1 : 0

  name = "${var.stack_name}-volume"
  size = var.size
}
