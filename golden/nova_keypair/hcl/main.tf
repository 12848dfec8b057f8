# Made by hot2tf from input.yaml

resource "openstack_compute_keypair_v2" "imported" {
  name       = "mine"
  public_key = var.public_key
}
