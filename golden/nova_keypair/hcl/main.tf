# Converted from input.yaml by hot2tf.

resource "openstack_compute_keypair_v2" "imported" {
  name       = "mine"
  public_key = var.public_key
}
