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

variable "network" {
  type    = string
  default = "services"
}

variable "public" {
  type    = string
  default = "public"
}

locals {
  services = { mail = "m1.small", wiki = "m1.large" }
}

data "openstack_networking_network_v2" "network" {
  name = var.network
}

resource "openstack_networking_port_v2" "port" {
  for_each   = local.services
  name       = each.key
  network_id = data.openstack_networking_network_v2.network.id
}

resource "openstack_compute_instance_v2" "server" {
  for_each    = local.services
  name        = each.key
  image_name  = var.image
  flavor_name = each.value

  network {
    port = openstack_networking_port_v2.port[each.key].id
  }
}

resource "openstack_networking_floatingip_v2" "address" {
  for_each = local.services
  pool     = var.public
  port_id  = openstack_networking_port_v2.port[each.key].id
}

output "mail" {
  value = openstack_networking_floatingip_v2.address["mail"].address
}

output "wiki" {
  value = openstack_networking_floatingip_v2.address["wiki"].address
}
