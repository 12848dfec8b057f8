# Made by hot2tf from input.yaml

# json parameters whose members are read by name.

resource "openstack_compute_instance_v2" "server" {
  name              = "server"
  image_name        = var.controller.image
  flavor_name       = var.controller.flavor
  availability_zone = var.extra.zone
  config_drive      = var.controller.admin

  network {
    name = var.controller.network.name
  }

  metadata  = var.labels
  user_data = "count ${var.controller.count}, admin ${title(var.controller.admin)}, of ${var.extra.kind}, tag ${var.given.tag}"
}

resource "openstack_networking_port_v2" "port" {
  name       = "port"
  network_id = data.openstack_networking_network_v2.controller_network_name.id
}

resource "openstack_compute_volume_attach_v2" "attached" {
  instance_id = openstack_compute_instance_v2.server.id
  volume_id   = var.controller.volume
}
