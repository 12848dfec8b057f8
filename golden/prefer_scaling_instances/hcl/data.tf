# Made by hot2tf: hot2tf convert input.yaml --prefer native -o DIR

data "openstack_networking_subnet_v2" "subnet" {
  subnet_id = var.Subnet
}

data "openstack_networking_secgroup_v2" "web" {
  name = "web"
}
