# Converted from special.yaml by hot2tf.

# Capabilities: deployment: docker.

resource "openstack_networking_port_v2" "port" {
  name       = "special"
  network_id = data.openstack_networking_network_v2.network.id
}
