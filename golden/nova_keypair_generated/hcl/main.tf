# Made by hot2tf: hot2tf convert input.yaml -o DIR

resource "openstack_compute_keypair_v2" "made" {
  name = "new"
}

resource "openstack_compute_keypair_v2" "forgotten" {
  name = "forgotten"
}
