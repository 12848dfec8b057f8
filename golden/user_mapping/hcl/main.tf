# Made by hot2tf from input.yaml

# A shop, with the types of a plug-in and a mapping of the user's own.

# HOT401: music is dropped: networks play no music.
resource "openstack_networking_network_v2" "books" {
  provider = openstack.cloud
  name     = "${var.house}/books"
}

resource "openstack_networking_subnet_v2" "books_0" {
  provider   = openstack.cloud
  network_id = openstack_networking_network_v2.books.id
  ip_version = 4
  cidr       = "10.1.0.0/24"
  name       = "aisle 1"
}

resource "openstack_networking_subnet_v2" "books_1" {
  provider   = openstack.cloud
  network_id = openstack_networking_network_v2.books.id
  ip_version = 4
  cidr       = "10.1.1.0/24"
  name       = "aisle 2"
}

resource "openstack_networking_network_v2" "toys" {
  count = local.busy ? 1 : 0

  name = "main/toys"
}

resource "openstack_networking_subnet_v2" "toys" {
  for_each = { for index, member in var.ranges : index => member if local.busy }

  network_id = openstack_networking_network_v2.toys[0].id
  ip_version = 4
  cidr       = try(each.value.cidr, null)
  name       = "aisle ${each.value.aisle}"
}

resource "openstack_blockstorage_volume_v3" "tills" {
  count = 3

  name = "${openstack_networking_network_v2.books.name}: till ${count.index}"
  size = 1
}

resource "openstack_blockstorage_volume_v3" "record" {
  name = "${openstack_networking_network_v2.books.mtu}: till 7"
  size = 20
}
