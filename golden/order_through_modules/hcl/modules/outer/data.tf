# Made by hot2tf from outer.yaml: hot2tf convert input.yaml -o DIR

data "openstack_networking_network_v2" "private" {
  name = "private"
}
