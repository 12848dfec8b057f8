# Made by hot2tf from node.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "node"
  network_id = data.openstack_networking_network_v2.network.id

  depends_on = [var.wait_for]
}
