# Made by hot2tf from input.yaml

# what exists
data "openstack_compute_instance_v2" "server" {
  id = var.server_id
}

data "openstack_networking_port_v2" "uplink" {
  port_id = var.port_id
}

# HOT528: The provider finds no floating IP by its ID; the variable floating_ip_addresses must have the address of the floating IP address_id.
data "openstack_networking_floatingip_v2" "entrance" {
  address = var.floating_ip_addresses[var.address_id]
}

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_port_v2" "server_id" {
  device_id = var.server_id
}

data "openstack_networking_subnet_v2" "port_subnet" {
  network_id = openstack_networking_port_v2.port.network_id
  ip_version = strcontains(openstack_networking_port_v2.port.all_fixed_ips[0], ":") ? 6 : 4
}
