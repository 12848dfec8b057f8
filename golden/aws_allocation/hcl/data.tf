# Heat takes the one external network there is.
data "openstack_networking_network_v2" "external" {
  external = true
}

data "openstack_networking_network_v2" "public" {
  name = "public"
}
