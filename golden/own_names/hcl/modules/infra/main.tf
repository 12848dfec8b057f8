# Made by hot2tf from infra.yaml

resource "openstack_compute_keypair_v2" "key" {
  name       = "thekey"
  public_key = "ssh-rsa AAAA"
}

resource "openstack_networking_secgroup_v2" "sg" {
  name = "thegroup"
}

resource "openstack_networking_network_v2" "net" {
  name = "back"
}
