# Made by hot2tf from input.yaml

data "openstack_networking_port_v2" "web" {
  device_id = lookup(local.web, "Web", null)
}

# Heat uses the only external network.
data "openstack_networking_network_v2" "external" {
  external = true
}
