# Made by hot2tf from infra.yaml

resource "openstack_networking_network_v2" "net" {
  name = "net"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_router_v2" "router" {
  name = "router"
}

resource "openstack_networking_router_interface_v2" "interface" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.subnet.id
}
