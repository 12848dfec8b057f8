# Made by hot2tf from special.yaml

# Capabilities: deployment: docker.

resource "openstack_networking_port_v2" "port" {
  name       = "special"
  network_id = data.openstack_networking_network_v2.network.id
}
