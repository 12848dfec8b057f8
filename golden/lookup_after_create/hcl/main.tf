# Made by hot2tf from input.yaml

# The network of the ports has its name from a parameter of another template, so the name is
# looked up.

module "base" {
  source = "./modules/base"
  prefix = var.prefix
}

resource "openstack_networking_port_v2" "port" {
  name       = "front"
  network_id = data.openstack_networking_network_v2.shop_net.id

  depends_on = [module.base]
}

module "node" {
  source   = "./modules/node"
  network  = "shop-net"
  wait_for = [module.base]
}

# another network, which exists
resource "openstack_networking_router_v2" "router" {
  name                = "edge"
  external_network_id = data.openstack_networking_network_v2.outside.id

  depends_on = [module.base]
}
