# Made by hot2tf from entry.yaml

# A port with a floating IP that is known by its ID.

resource "openstack_networking_port_v2" "port" {
  name       = "entry"
  network_id = data.openstack_networking_network_v2.network.id
}

resource "openstack_networking_floatingip_associate_v2" "association" {
  floating_ip = var.address_id_address
  port_id     = openstack_networking_port_v2.port.id
}
