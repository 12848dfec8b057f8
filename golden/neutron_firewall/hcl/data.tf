# Made by hot2tf from input.yaml

data "openstack_networking_port_v2" "spare" {
  name = "spare"
}
