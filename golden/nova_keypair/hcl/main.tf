# Made by hot2tf: hot2tf convert input.yaml -o DIR

resource "openstack_compute_keypair_v2" "imported" {
  name       = "mine"
  public_key = var.public_key
}
