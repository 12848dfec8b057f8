# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_secgroup_v2" "web" {
  count = local.is_used ? 1 : 0

  name = "web"
}

data "openstack_networking_subnet_v2" "private_subnet" {
  count = local.is_used ? 1 : 0

  name = "private-subnet"
}
