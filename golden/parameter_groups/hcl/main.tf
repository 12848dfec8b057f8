# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "port" {
  name       = var.other
  network_id = data.openstack_networking_network_v2.network.id
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = var.flavor

  network {
    port = openstack_networking_port_v2.port.id
  }
}
