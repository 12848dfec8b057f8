# Made by hot2tf from node.yaml

# Terraform reads this at apply, because the configuration itself creates the object.
data "openstack_networking_network_v2" "network" {
  name = var.network

  depends_on = [var.wait_for]
}
