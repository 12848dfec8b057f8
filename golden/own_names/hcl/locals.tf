# Made by hot2tf from input.yaml

locals {
  names = {
    network  = openstack_networking_network_v2.net.name
    external = "public"
  }
}
