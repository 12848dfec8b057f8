terraform {
  required_version = ">= 1.5"
  required_providers {
    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 1.49.0, < 4.0.0"
    }
  }
}

variable "image" {
  type    = string
  default = "ubuntu-24.04"
}

variable "flavor" {
  type    = string
  default = "m1.large"
}

variable "key" {
  type = string
}

variable "nodes" {
  description = "The last part of the address of each node."
  type        = map(number)
  default     = { ctl01 = 101, ctl02 = 102, ctl03 = 103, cmp01 = 111, cmp02 = 112 }
}

resource "openstack_networking_network_v2" "net" {
  name = "cluster"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "cluster"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.6.0.0/24"
}

resource "openstack_networking_port_v2" "node" {
  for_each   = var.nodes
  name       = each.key
  network_id = openstack_networking_network_v2.net.id

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.subnet.id
    ip_address = "10.6.0.${each.value}"
  }
}

resource "openstack_compute_instance_v2" "node" {
  for_each    = var.nodes
  name        = each.key
  image_name  = var.image
  flavor_name = var.flavor
  key_pair    = var.key

  network {
    port = openstack_networking_port_v2.node[each.key].id
  }

  user_data = <<-EOT
    #!/bin/sh
    hostnamectl set-hostname ${each.key}
    echo "127.0.1.1 ${each.key}" >> /etc/hosts
    apt-get update
    apt-get install -y salt-minion
    echo "id: ${each.key}" > /etc/salt/minion_id
    systemctl restart salt-minion
  EOT
}

output "controller" {
  value = openstack_compute_instance_v2.node["ctl01"].access_ip_v4
}
