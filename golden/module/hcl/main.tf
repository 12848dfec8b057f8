# Made by hot2tf from input.yaml

# A template that uses another one as a resource.

resource "openstack_networking_network_v2" "net" {
  name = "front"
}

# What the world sees.
# the servers of the front
module "front" {
  source     = "./modules/part"
  name       = "front"
  size       = 3
  network    = openstack_networking_network_v2.net.id
  zones      = var.zones
  labels     = var.labels
  stack_name = "${var.stack_name}-front"

  depends_on = [openstack_networking_network_v2.net, openstack_compute_servergroup_v2.group]
}

# with all that can be given as a literal
# HOT503: terraform destroy deletes the module back, where Heat leaves it behind: a module has no lifecycle.
module "back" {
  source = "./modules/part"

  count = local.is_public ? 1 : 0

  name            = "back-${openstack_networking_network_v2.net.name}"
  size            = 7
  network         = data.openstack_networking_network_v2.private[0].id
  zones           = ["c", "d"]
  labels          = { tier = "db" }
  public          = false
  note            = ""
  facade_metadata = { role = "back" }
  stack_name      = "${var.stack_name}-back"

  depends_on = [openstack_networking_network_v2.net]
}

resource "openstack_compute_servergroup_v2" "group" {
  name     = "apart"
  policies = ["anti-affinity"]
}

resource "openstack_networking_port_v2" "address" {
  name               = module.front.port_name
  network_id         = openstack_networking_network_v2.net.id
  security_group_ids = [module.front.group_id]
}
