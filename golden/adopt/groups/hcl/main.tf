# Made by hot2tf from the running stack groups

resource "openstack_networking_network_v2" "net" {
  name = "group"
}

resource "openstack_blockstorage_volume_v3" "plain" {
  count = 2

  name = try(local.plain_physical_names[count.index], "${var.stack_name}-plain-${count.index}")
  size = 1
}

module "nodes" {
  source = "./modules/member"

  for_each = toset(local.nodes_names)

  network        = openstack_networking_network_v2.net.id
  index          = "node-${each.key}"
  stack_name     = try(local.nodes_physical_names[each.key], "${var.stack_name}-nodes-${each.key}")
  stack_id       = try(local.nodes_physical_ids[each.key], uuidv5("url", "${var.stack_name}-nodes-${each.key}"))
  physical_names = try(local.nodes_physical_names_inside[each.key], {})

  depends_on = [openstack_networking_network_v2.net]
}

module "alone" {
  source     = "./modules/member"
  network    = openstack_networking_network_v2.net.id
  index      = "alone"
  stack_name = "groups-alone-wduukb7r57il"
  stack_id   = "0000007f-0000-4000-8000-000000000000"

  physical_names = {
    port = "groups-alone-wduukb7r57il-port-p"
    disk = "groups-alone-wduukb7r57il-disk-d"
  }

  depends_on = [openstack_networking_network_v2.net]
}
