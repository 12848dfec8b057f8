# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "external" {
  name = var.external
}

data "openstack_networking_subnet_v2" "public_subnet" {
  name = "public-subnet"
}
