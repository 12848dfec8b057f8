# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_subnet_v2" "private" {
  name = "private"
}

data "openstack_compute_flavor_v2" "m1_small" {
  name = "m1.small"
}
