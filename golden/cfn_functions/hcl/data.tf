# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_compute_availability_zones_v2" "zones" {}
