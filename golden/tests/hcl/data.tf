# Made by hot2tf from input.yaml

data "openstack_networking_secgroup_v2" "default" {
  name = "default"
}
