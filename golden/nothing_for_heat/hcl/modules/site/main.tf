# Made by hot2tf from site.yaml

resource "openstack_networking_network_v2" "net" {
  name = "site"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "site"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = var.router
  subnet_id = openstack_networking_subnet_v2.subnet.id
}
