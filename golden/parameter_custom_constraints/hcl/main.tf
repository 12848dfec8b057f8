# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "port" {
  name        = "${var.stack_name}-port"
  network_id  = data.openstack_networking_network_v2.network.id
  mac_address = var.mac

  fixed_ip {
    ip_address = var.address
  }

  allowed_address_pairs {
    ip_address = var.prefix
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-server"
  image_name  = local.image_is_id ? null : var.image
  image_id    = local.image_is_id ? var.image : null
  flavor_name = local.flavor_is_id ? null : var.flavor
  flavor_id   = local.flavor_is_id ? var.flavor : null
  key_pair    = var.key

  network {
    port = openstack_networking_port_v2.port.id
  }

  metadata = { zone = var.zone }
}
