# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  name        = "web"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = templatefile("${path.module}/templates/boot/setup.sh.tftpl", { domain = var.domain })
}

resource "openstack_compute_instance_v2" "other" {
  name        = "other"
  image_name  = "cirros"
  flavor_name = "m1.tiny"
  user_data   = file("${path.module}/files/plain.txt")
}
