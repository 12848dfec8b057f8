# Made by hot2tf from web.yaml: hot2tf convert input.yaml -e base.env.yaml -e site.env.yaml -o DIR

# Capabilities: deployment: docker, podman.

resource "openstack_networking_port_v2" "port" {
  name       = "docker"
  network_id = data.openstack_networking_network_v2.network.id
}
