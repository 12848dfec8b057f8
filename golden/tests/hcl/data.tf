# Made by hot2tf: hot2tf convert input.yaml -e prod.env.yaml --tests -o DIR

data "openstack_networking_secgroup_v2" "default" {
  name = "default"
}
