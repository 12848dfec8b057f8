# Made by hot2tf from input.yaml

# Deployments of every kind, without Heat.

# About on_delete, which is not written here:
#   never runs
# HOT589: on_delete (OS::Heat::SoftwareDeployment) is left out: it runs only on DELETE.

resource "openstack_blockstorage_volume_v3" "volume" {
  name = "data"
  size = 1
}

resource "openstack_compute_instance_v2" "web" {
  name        = "web"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = data.cloudinit_config.web_user_data.rendered

  depends_on = [openstack_blockstorage_volume_v3.volume]
}

resource "openstack_compute_instance_v2" "workers" {
  count = 2

  name        = "worker-${count.index}"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = data.cloudinit_config.workers_user_data[count.index].rendered

  lifecycle {
    ignore_changes = [user_data]
  }
}

# Heat creates it after the deployment
resource "openstack_blockstorage_volume_v3" "backup" {
  name = "backup"
  size = 1

  depends_on = [openstack_compute_instance_v2.web]
}
