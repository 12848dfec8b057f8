# Made by hot2tf from input.yaml

data "opentelekomcloud_networking_network_v2" "public" {
  name = var.public
}
