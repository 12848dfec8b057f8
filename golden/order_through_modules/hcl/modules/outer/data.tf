# Made by hot2tf from outer.yaml

data "openstack_networking_network_v2" "private" {
  name = "private"
}
