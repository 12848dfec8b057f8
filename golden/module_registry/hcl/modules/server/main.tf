# Made by hot2tf from server.yaml

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

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [module.inner]
}
