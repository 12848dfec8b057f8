data "openstack_networking_network_v2" "private" {
  name = "private"
}
