# Made by hot2tf from outer.yaml

module "inner" {
  source  = "../app"
  network = data.openstack_networking_network_v2.private.id

  depends_on = [var.wait_for]
}
