# Made by hot2tf from web.yaml

# Capabilities: deployment: docker, podman.

resource "openstack_networking_port_v2" "port" {
  name       = "docker"
  network_id = data.openstack_networking_network_v2.network.id
}
