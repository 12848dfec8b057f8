data "openstack_networking_port_v2" "spare" {
  name = "spare"
}
