terraform {
  required_version = ">= 1.5"
  required_providers {
    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 1.49.0, < 4.0.0"
    }
  }
}

variable "public" {
  type    = string
  default = "public"
}

locals {
  tiers = { web = "10.0.1.0/24", app = "10.0.2.0/24", data = "10.0.3.0/24" }
}

data "openstack_networking_network_v2" "public" {
  name = var.public
}

resource "openstack_networking_router_v2" "router" {
  name                = "tiers"
  external_network_id = data.openstack_networking_network_v2.public.id
}

resource "openstack_networking_network_v2" "tier" {
  for_each = local.tiers
  name     = each.key
}

resource "openstack_networking_subnet_v2" "tier" {
  for_each        = local.tiers
  name            = each.key
  network_id      = openstack_networking_network_v2.tier[each.key].id
  cidr            = each.value
  dns_nameservers = ["9.9.9.9"]
}

resource "openstack_networking_router_interface_v2" "tier" {
  for_each  = local.tiers
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.tier[each.key].id
}

output "web" {
  value = openstack_networking_network_v2.tier["web"].id
}

output "app" {
  value = openstack_networking_network_v2.tier["app"].id
}

output "data" {
  value = openstack_networking_network_v2.tier["data"].id
}
