# Made by hot2tf from member.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "member-${var.index}"
  network_id = var.network

  fixed_ip {
    subnet_id = var.front_subnet_id
  }
}
