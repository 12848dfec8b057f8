# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_port_v2" "spare" {
  name = "spare"
}
