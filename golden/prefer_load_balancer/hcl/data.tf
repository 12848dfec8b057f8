# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

data "openstack_networking_secgroup_v2" "front" {
  name = "front"
}
