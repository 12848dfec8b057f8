# Made by hot2tf from input.yaml

# Groups of instances from launch configurations.

resource "openstack_compute_instance_v2" "database" {
  name        = "${var.stack_name}-Database"
  image_name  = "debian-12"
  flavor_name = "m1.medium"
}

# HOT560: WebServers no longer scales by itself: var.web_servers_size sets its size.
# HOT517: Terraform changes all members of WebServers in one apply, where Heat does it in batches.
resource "openstack_compute_instance_v2" "web_servers" {
  # what a web server is
  # HOT506: the metadata of this resource is dropped: agents read it through Heat.
  count = var.web_servers_size

  name       = "${var.stack_name}-WebServers-${count.index}"
  image_name = "debian-12"
  # enough for one site
  flavor_name = "m1.small"
  key_pair    = var.KeyName

  network {
    port = openstack_networking_port_v2.web_servers[count.index].id
  }

  metadata = { site = "main" }

  # HOT562: Heat wraps this in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged.
  user_data = <<-EOT
    #!/bin/sh
    echo ${openstack_compute_instance_v2.database.access_ip_v4} > /etc/database
  EOT
}

resource "openstack_networking_port_v2" "web_servers" {
  count = var.web_servers_size

  network_id         = data.openstack_networking_subnet_v2.subnet.network_id
  security_group_ids = [data.openstack_networking_secgroup_v2.web.id]

  fixed_ip {
    subnet_id = var.Subnet
  }
}

resource "openstack_compute_instance_v2" "worker_servers" {
  count = var.Workers

  name        = "${var.stack_name}-WorkerServers-${count.index}"
  image_name  = "debian-12"
  flavor_name = "m1.large"

  scheduler_hints {
    different_host = [openstack_compute_instance_v2.database.id]
  }
}

resource "openstack_compute_instance_v2" "watcher" {
  name        = "${var.stack_name}-Watcher"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  # HOT562: Heat wraps this in parts for cfn-init and adds the user ec2-user; Terraform passes it unchanged.
  # HOT599: Nobody listens to GrowWeb: file:///dev/null replaces its URL.
  user_data = <<-EOT
    #!/bin/sh
    curl -X POST 'file:///dev/null'
  EOT

  # Heat creates it before something that this refers to, and that is nothing here.
  depends_on = [openstack_compute_instance_v2.web_servers]
}
