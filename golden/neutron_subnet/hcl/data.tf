# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_subnetpool_v2" "pool" {
  name = "pool"
}
