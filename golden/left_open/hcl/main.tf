# Made by hot2tf from input.yaml

# What an author left to be filled in, and references to what has no ID of its own.

resource "openstack_networking_port_v2" "uplink" {
  name = "uplink"
  # HOT412: network is required, but null in the template.
  # ADD THE NETWORK HERE
  network_id = var.uplink_network_id
}

module "inside" {
  source          = "./modules/part"
  name            = "inside"
  port_network_id = var.port_network_id
}

resource "openstack_compute_instance_v2" "server" {
  name        = "router"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    port = openstack_networking_port_v2.uplink.id
  }

  network {
    port = module.inside.port
  }
}

resource "time_sleep" "pause" {
  create_duration = "2s"
}

# HOT421: Heat resets the quota when it deletes this; Terraform leaves the quota unchanged.
resource "openstack_compute_quotaset_v2" "limits" {
  project_id = "5c1bfc3f2b8a4f2e9c360d8f6a1f2b11"
  cores      = 16
}

resource "terraform_data" "probe" {
  count = local.is_checked ? 1 : 0

  input = "up"
}

resource "openstack_objectstorage_container_v1" "log" {
  name = "log"

  metadata = {
    after  = "pause"
    limits = "${var.stack_name}-limits"
  }

  # Heat creates it first: the template refers to it in a part that is not written here.
  depends_on = [time_sleep.pause, openstack_compute_quotaset_v2.limits]
}
