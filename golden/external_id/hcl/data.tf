data "openstack_networking_network_v2" "net" {
  network_id = "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10"
}
