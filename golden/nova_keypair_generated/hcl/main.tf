# Converted from input.yaml by hot2tf.

resource "openstack_compute_keypair_v2" "made" {
  name = "new"
}

resource "openstack_compute_keypair_v2" "forgotten" {
  name = "forgotten"
}
