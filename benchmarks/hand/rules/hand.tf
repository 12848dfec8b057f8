terraform {
  required_version = ">= 1.5"
  required_providers {
    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 1.49.0, < 4.0.0"
    }
  }
}

variable "office" {
  type    = string
  default = "192.0.2.0/24"
}

locals {
  groups = { web = "From everywhere", admin = "From the office", database = "From the application" }
  rules = {
    web-http      = { group = "web", protocol = "tcp", port = 80, from = "0.0.0.0/0" }
    web-https     = { group = "web", protocol = "tcp", port = 443, from = "0.0.0.0/0" }
    web-ping      = { group = "web", protocol = "icmp", port = null, from = "0.0.0.0/0" }
    admin-ssh     = { group = "admin", protocol = "tcp", port = 22, from = var.office }
    admin-metrics = { group = "admin", protocol = "tcp", port = 9090, from = var.office }
    admin-grafana = { group = "admin", protocol = "tcp", port = 3000, from = var.office }
    admin-ping    = { group = "admin", protocol = "icmp", port = null, from = var.office }
    database-1    = { group = "database", protocol = "tcp", port = 5432, from = "10.0.1.0/24" }
    database-2    = { group = "database", protocol = "tcp", port = 5432, from = "10.0.2.0/24" }
    pool-1        = { group = "database", protocol = "tcp", port = 6432, from = "10.0.1.0/24" }
  }
}

resource "openstack_networking_secgroup_v2" "group" {
  for_each    = local.groups
  name        = each.key
  description = each.value
}

resource "openstack_networking_secgroup_rule_v2" "rule" {
  for_each          = local.rules
  security_group_id = openstack_networking_secgroup_v2.group[each.value.group].id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = each.value.protocol
  port_range_min    = each.value.port
  port_range_max    = each.value.port
  remote_ip_prefix  = each.value.from
}
