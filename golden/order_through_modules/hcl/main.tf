# Made by hot2tf from input.yaml

# Nested stacks that wait for each other, with and without a value that says so.

module "infra" {
  source = "./modules/infra"
}

# reads an output: all of it waits, the volume without a reference
module "reader" {
  source  = "./modules/app"
  network = module.infra.network

  depends_on = [module.infra]
}

# reads nothing
module "waiter" {
  source = "./modules/outer"

  count = 2

  wait_for = [module.infra, openstack_compute_servergroup_v2.marker]
}

resource "openstack_compute_servergroup_v2" "marker" {
  name     = "marker"
  policies = ["affinity"]
}

resource "openstack_blockstorage_volume_v3" "last" {
  name = "last"
  size = 1

  depends_on = [module.waiter]
}
