# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_subnet_v2" "public_subnet" {
  name = "public-subnet"
}

data "openstack_networking_network_v2" "public" {
  name = var.public
}
