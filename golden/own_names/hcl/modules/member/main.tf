# Converted from member.yaml by hot2tf.

resource "openstack_networking_port_v2" "port" {
  name       = "member-${var.index}"
  network_id = var.network

  fixed_ip {
    subnet_id = var.front_subnet_id
  }
}
