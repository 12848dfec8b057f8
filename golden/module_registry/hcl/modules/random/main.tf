# Made by hot2tf from random.yaml

resource "openstack_networking_network_v2" "net" {
  name = "random-${var.length}"
}
