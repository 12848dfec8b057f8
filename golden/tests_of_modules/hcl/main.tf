# Made by hot2tf from input.yaml

# A module is tested by itself, with the values that its first call passes.

resource "openstack_networking_network_v2" "net" {
  name = "inner"
}

module "first" {
  source     = "./modules/member"
  network    = openstack_networking_network_v2.net.id
  label      = "one"
  stack_name = "${var.stack_name}-first"
}

module "second" {
  source     = "./modules/member"
  network    = openstack_networking_network_v2.net.id
  label      = "two"
  spare      = true
  stack_name = "${var.stack_name}-second"
}
