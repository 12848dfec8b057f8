# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = data.openstack_networking_network_v2.net.id
}
