# Made by hot2tf from server.yaml

resource "openstack_blockstorage_volume_v3" "volume" {
  name = var.name
  size = 5
}

resource "openstack_networking_port_v2" "port" {
  name       = var.name
  network_id = var.network
}

resource "openstack_compute_instance_v2" "server" {
  name        = var.name
  image_name  = "cirros"
  flavor_name = "m1.small"

  network {
    port = openstack_networking_port_v2.port.id
  }

  user_data = base64encode(var.user_data)
}
