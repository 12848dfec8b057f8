# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = var.name
  image_name  = "ubuntu-22.04"
  flavor_name = var.flavor
}
