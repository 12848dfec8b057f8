# Made by hot2tf from input.j2.yaml

# Servers that a Jinja2 source lists.

# the web server
resource "openstack_compute_instance_v2" "web" {
  name        = "${var.stack_name}-web"
  image_name  = var.image
  flavor_name = "m1.small"

  network {
    name = "app"
  }
}

# the db server
resource "openstack_compute_instance_v2" "db" {
  name        = "${var.stack_name}-db"
  image_name  = var.image
  flavor_name = "m1.large"

  network {
    name = "app"
  }
}

resource "openstack_blockstorage_volume_v3" "disk" {
  name = "${var.stack_name}-disk"
  size = 10
}
