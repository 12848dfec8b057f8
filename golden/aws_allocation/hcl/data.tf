# Made by hot2tf: hot2tf convert input.yaml -o DIR

# Heat uses the only external network.
data "openstack_networking_network_v2" "external" {
  external = true
}

data "openstack_networking_network_v2" "public" {
  name = "public"
}
