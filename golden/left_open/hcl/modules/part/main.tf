# Made by hot2tf from part.yaml

resource "openstack_networking_port_v2" "port" {
  name = var.name
  # HOT412: network is required, but null in the template.
  network_id = var.port_network_id
}
