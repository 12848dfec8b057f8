data "openstack_networking_subnetpool_v2" "pool" {
  name = "pool"
}
