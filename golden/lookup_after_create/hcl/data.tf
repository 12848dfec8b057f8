# Made by hot2tf from input.yaml

# Terraform reads this at apply, because the configuration itself creates the object.
data "openstack_networking_network_v2" "shop_net" {
  name = "shop-net"

  depends_on = [module.base]
}

data "openstack_networking_network_v2" "outside" {
  name = var.outside
}
