# Made by hot2tf from app.yaml

resource "openstack_networking_port_v2" "port" {
  name               = "port-in-${var.network}"
  network_id         = var.network_id
  security_group_ids = [var.group]
}

resource "openstack_compute_instance_v2" "server" {
  name        = "app"
  image_name  = "cirros"
  flavor_name = "small"
  key_pair    = var.key

  network {
    port = openstack_networking_port_v2.port.id
  }
}
