# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    name = "private"
  }
}

resource "openstack_networking_floatingip_v2" "address" {
  pool = "public"
}

resource "openstack_networking_floatingip_associate_v2" "association" {
  floating_ip = openstack_networking_floatingip_v2.address.address
  port_id     = data.openstack_networking_port_v2.server.id
}
