# Made by hot2tf from input.yaml

data "openstack_networking_subnet_v2" "subnet" {
  subnet_id = var.Subnet
}

data "openstack_networking_secgroup_v2" "web" {
  name = "web"
}
