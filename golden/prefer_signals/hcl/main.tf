# Made by hot2tf from input.yaml

# Servers that tell when they are ready, and nobody waits for them.

# About database_handle, which is not written here:
#   the database tells first
# About web_handle, which is not written here:
#   the log of the set-up goes with the signal
# About upload, which is not written here:
#   uploads its result

# HOT590: Heat waits for the signals of database_ready; here, nobody does.
resource "openstack_compute_instance_v2" "database" {
  name        = "database"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  # HOT599: Nobody listens to database_handle: /bin/true replaces its command.
  user_data = <<-EOT
    #!/bin/bash
    set -euo pipefail
    apt-get install -y postgresql
    # a comment that names cfn-signal
    /bin/true --data-binary '{"status": "SUCCESS"}'
  EOT
}

# HOT590: Heat waits for the signals of web_ready; here, nobody does.
resource "openstack_compute_instance_v2" "web" {
  count = 2

  name        = "web-${count.index}"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = local.web_setup

  depends_on = [openstack_compute_instance_v2.database]
}

# HOT590: Heat waits for the signals of uploaded; here, nobody does.
resource "openstack_compute_instance_v2" "worker" {
  name        = "worker"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  # HOT599: Nobody listens to upload: echo HTTP/1.1 201 Created replaces its command.
  user_data = <<-EOT
    #!/bin/sh
    until echo HTTP/1.1 201 Created -d '{}' | grep '201 Created'; do sleep 5; done
  EOT
}

resource "openstack_networking_floatingip_v2" "address" {
  pool = "public"

  depends_on = [openstack_compute_instance_v2.web, openstack_compute_instance_v2.worker]
}
