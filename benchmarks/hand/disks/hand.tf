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

variable "kind" {
  type    = string
  default = "small"

  validation {
    condition     = contains(["small", "large"], var.kind)
    error_message = "The kind is small or large."
  }
}

locals {
  sizes = [100, 100, 200, 200]
}

resource "openstack_compute_instance_v2" "server" {
  name        = "storage"
  image_name  = var.image
  flavor_name = var.kind == "large" ? "m1.xlarge" : "m1.medium"

  network {
    name = "storage"
  }
}

resource "openstack_blockstorage_volume_v3" "disk" {
  count       = length(local.sizes)
  name        = "disk-${count.index + 1}"
  size        = local.sizes[count.index]
  volume_type = "ssd"
}

resource "openstack_compute_volume_attach_v2" "at" {
  count       = length(local.sizes)
  instance_id = openstack_compute_instance_v2.server.id
  volume_id   = openstack_blockstorage_volume_v3.disk[count.index].id
}

output "address" {
  value = openstack_compute_instance_v2.server.access_ip_v4
}
