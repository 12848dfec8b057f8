# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_compute_instance_v2" "server" {
  name        = "s"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.port.id
  }
}

resource "openstack_networking_floatingip_v2" "one" {
  pool       = var.public
  port_id    = openstack_networking_port_v2.port.id
  fixed_ip   = openstack_networking_port_v2.port.all_fixed_ips[0]
  dns_name   = "one"
  dns_domain = "example.org."
}

resource "openstack_networking_floatingip_v2" "two" {
  pool      = var.public
  subnet_id = data.openstack_networking_subnet_v2.public_subnet.id
}

resource "openstack_networking_floatingip_v2" "three" {
  pool    = var.public
  address = "198.51.100.7"
}

resource "openstack_networking_floatingip_associate_v2" "link" {
  floating_ip = openstack_networking_floatingip_v2.two.address
  port_id     = openstack_networking_port_v2.port.id
}
