# Made by hot2tf from site.yaml

resource "openstack_networking_network_v2" "network" {
  region = var.region
  name   = "${var.stack_name}-network"
}

resource "openstack_networking_subnet_v2" "subnet" {
  region     = var.region
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.network.id
  cidr       = var.cidr
}

module "rack" {
  source     = "../rack"
  zone       = try(var.zones[0], "")
  network    = openstack_networking_network_v2.network.id
  region     = var.region
  stack_name = "${var.stack_name}-rack"

  depends_on = [openstack_networking_subnet_v2.subnet]
}
