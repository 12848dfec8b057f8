# Made by hot2tf from input.yaml

resource "openstack_compute_servergroup_v2" "group" {
  name     = "apart"
  policies = ["anti-affinity"]
}

# HOT401: diskConfig is dropped: the provider has no argument for disk partitioning.
# HOT401: reservation_id is dropped: the provider has no argument for a reservation.
resource "openstack_compute_instance_v2" "server" {
  name              = "web"
  image_name        = "ubuntu-22.04"
  flavor_name       = "m1.small"
  key_pair          = var.key
  availability_zone = "nova"
  admin_pass        = "changeme"
  security_groups   = ["default"]
  config_drive      = true

  # HOT401: tag is dropped: the provider has no argument for NIC tags.
  network {
    name        = var.network
    fixed_ip_v4 = "10.0.0.5"
  }

  scheduler_hints {
    group = openstack_compute_servergroup_v2.group.id
  }

  metadata = { role = "web", tier = 1 }
  tags     = ["web", "front"]

  personality {
    file    = "/etc/motd"
    content = "Welcome"
  }

  user_data = <<-EOT
    #cloud-config
    packages: [nginx]
  EOT
}
