data "openstack_networking_port_v2" "web" {
  device_id = local.web["Web"]
}

# Heat uses the only external network.
data "openstack_networking_network_v2" "external" {
  external = true
}
