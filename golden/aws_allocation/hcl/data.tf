# Made by hot2tf from input.yaml

# Heat uses the only external network.
data "openstack_networking_network_v2" "external" {
  external = true
}

data "openstack_networking_network_v2" "public" {
  name = "public"
}
