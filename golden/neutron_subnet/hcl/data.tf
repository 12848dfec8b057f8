# Made by hot2tf from input.yaml

data "openstack_networking_subnetpool_v2" "pool" {
  name = "pool"
}
