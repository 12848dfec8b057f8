# Made by hot2tf from rack.yaml

resource "openstack_compute_instance_v2" "server" {
  region            = var.region
  name              = "${var.stack_name}-server"
  image_name        = "debian-12"
  flavor_name       = "m1.small"
  availability_zone = var.zone

  network {
    uuid = var.network
  }
}
