# Made by hot2tf from input.yaml

data "openstack_compute_availability_zones_v2" "zones" {}
