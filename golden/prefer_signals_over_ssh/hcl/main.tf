# Made by hot2tf from input.yaml

# Servers that tell when they are ready. Terraform waits for cloud-init instead.

# About database_handle, which is not written here:
#   the database tells first
# About web_handle, which is not written here:
#   the log of the set-up goes with the signal
# About upload, which is not written here:
#   uploads its result

# HOT588: For database_ready, Terraform waits over SSH until cloud-init is done in database; it needs no signal.
resource "terraform_data" "database_ready" {
  triggers_replace = [openstack_compute_instance_v2.database.id]

  connection {
    type        = "ssh"
    host        = openstack_compute_instance_v2.database.access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
    timeout     = "${var.boot_timeout}s"
  }

  provisioner "remote-exec" {
    inline = ["timeout ${var.boot_timeout} cloud-init status --wait --long || [ $? -eq 2 ]"]
  }
}

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

resource "openstack_compute_instance_v2" "web" {
  count = 2

  name        = "web-${count.index}"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    name = "app"
  }

  user_data = local.web_setup

  depends_on = [terraform_data.database_ready]
}

# HOT588: For web_ready, Terraform waits over SSH until cloud-init is done in web; it needs no signal.
resource "terraform_data" "web_ready" {
  count = length(openstack_compute_instance_v2.web)

  triggers_replace = [openstack_compute_instance_v2.web[count.index].id]

  connection {
    type        = "ssh"
    host        = openstack_compute_instance_v2.web[count.index].access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
    timeout     = "600s"
  }

  provisioner "remote-exec" {
    inline = ["timeout 600 cloud-init status --wait --long || [ $? -eq 2 ]"]
  }
}

# HOT588: For uploaded, Terraform waits over SSH until cloud-init is done in worker; it needs no signal.
resource "terraform_data" "uploaded" {
  triggers_replace = [openstack_compute_instance_v2.worker.id]

  connection {
    type        = "ssh"
    host        = openstack_compute_instance_v2.worker.access_ip_v4
    user        = var.ssh_user
    private_key = file(var.ssh_private_key_file)
    timeout     = "60s"
  }

  provisioner "remote-exec" {
    inline = ["timeout 60 cloud-init status --wait --long || [ $? -eq 2 ]"]
  }
}

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

  depends_on = [terraform_data.web_ready, terraform_data.uploaded]
}
