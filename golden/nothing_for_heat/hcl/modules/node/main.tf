# Made by hot2tf from node.yaml

resource "openstack_compute_instance_v2" "server" {
  name            = "node"
  image_name      = "cirros"
  flavor_name     = "m1.small"
  security_groups = var.groups

  network {
    name = var.network
  }

  metadata = { disk = var.disk }
}
