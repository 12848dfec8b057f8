# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  names = {
    network  = openstack_networking_network_v2.net.name
    external = "public"
  }
}
