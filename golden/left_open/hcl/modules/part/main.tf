resource "openstack_networking_port_v2" "port" {
  name = var.name
  # HOT412: network is required, and the template leaves it open.
  network_id = var.port_network_id
}
