module "inner" {
  source = "../config"
  text   = var.password
}

resource "openstack_compute_instance_v2" "server" {
  name        = var.name
  image_name  = var.image
  flavor_name = var.flavor

  network {
    name = "private"
  }

  user_data = module.inner.text
}
