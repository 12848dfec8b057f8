# Made by hot2tf from input.yaml

resource "openstack_compute_keypair_v2" "made" {
  name = "new"
}

resource "openstack_compute_keypair_v2" "forgotten" {
  name = "forgotten"
}
