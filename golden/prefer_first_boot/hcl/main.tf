# Made by hot2tf from input.yaml

# Deployments whose results nobody reads, as user data.

# has parts of its own already
resource "openstack_compute_instance_v2" "web" {
  name        = "web"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  # HOT562: Heat adds parts for os-collect-config to this; only deployments need them.
  user_data = data.cloudinit_config.boot.rendered
}

# has none, and gets two in their order
resource "openstack_compute_instance_v2" "plain" {
  name        = "plain"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = data.cloudinit_config.plain_user_data.rendered
}

resource "openstack_compute_instance_v2" "database" {
  name        = "database"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = data.cloudinit_config.database_user_data.rendered
}
