# Made by hot2tf from input.yaml

# the environment says what this is
module "web" {
  source   = "./modules/server"
  name     = "web"
  password = var.password
  flavor   = "m1.small"
}

module "random" {
  source = "./modules/random"
  length = 12
}

resource "openstack_networking_network_v2" "plain" {
  name = "plain"
}
