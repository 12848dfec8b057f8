# Made by hot2tf from member.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-server"
  image_name  = "debian-12"
  flavor_name = var.size

  network {
    name = "app"
  }
}
