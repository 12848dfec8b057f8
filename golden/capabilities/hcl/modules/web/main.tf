# Converted from web.yaml by hot2tf.

# Capabilities: deployment: docker, podman.

resource "openstack_networking_port_v2" "port" {
  name       = "docker"
  network_id = data.openstack_networking_network_v2.network.id
}
