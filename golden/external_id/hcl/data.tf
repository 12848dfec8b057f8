# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "net" {
  network_id = "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10"
}

# what it says of itself Heat leaves alone
data "openstack_networking_subnet_v2" "subnet" {
  subnet_id = "8f1f0f0e-6a43-4d7c-9a54-6d7f2c1f8b11"
}
