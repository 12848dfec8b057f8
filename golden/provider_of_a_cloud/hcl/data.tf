# Made by hot2tf: hot2tf convert input.yaml --provider opentelekomcloud -o DIR

data "opentelekomcloud_networking_network_v2" "public" {
  name = var.public
}
