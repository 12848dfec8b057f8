# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_port_v2" "ports" {
  count = var.count_

  name       = "port-${count.index}"
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_compute_instance_v2" "servers" {
  count = 2

  name        = "web-${count.index}"
  image_name  = "cirros"
  flavor_name = "m1.tiny"

  network {
    port = openstack_networking_port_v2.ports[0].id
  }

  metadata = { index = count.index }
}

resource "openstack_blockstorage_volume_v3" "volumes" {
  for_each = toset(local.volumes_names)

  name = "v${each.key}"
  size = 1
}
