# Made by hot2tf from input.yaml

resource "openstack_compute_instance_v2" "server" {
  count = local.has_token ? 1 : 0

  name        = "web"
  image_name  = "ubuntu-22.04"
  flavor_name = "m1.small"
  admin_pass  = var.password
  metadata    = { mode = var.mode }
}
