# Converted from input.yaml by hot2tf.

# Scripts that run once, on servers that nobody waits for.

# HOT450: kept in Heat: setup, setup_database, database.
# setup_database: an agent in the server gets it from Heat, and Heat waits for the signal.
resource "openstack_orchestration_stack_v1" "database" {
  name             = "${var.stack_name}-database"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/database.yaml")
  }

  environment_opts = {
    Bin = "{}"
  }
}

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
