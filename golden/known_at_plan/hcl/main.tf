# Made by hot2tf from input.yaml

# Lengths and conditions that Terraform knows before apply, where IDs are passed to nested stacks.

resource "openstack_networking_network_v2" "net" {
  name = "front"
}

resource "openstack_networking_secgroup_v2" "group" {
  name = "web"
}

# names and IDs in one list
module "mixed" {
  source  = "./modules/part"
  network = openstack_networking_network_v2.net.id

  groups = [
    data.openstack_networking_secgroup_v2.default.id,
    openstack_networking_secgroup_v2.group.id,
  ]

  peers       = [openstack_networking_secgroup_v2.group.id]
  other_given = false

  depends_on = [openstack_networking_network_v2.net, openstack_networking_secgroup_v2.group]
}

module "without" {
  source      = "./modules/part"
  network     = openstack_networking_network_v2.net.id
  other       = openstack_networking_network_v2.net.id
  groups      = [openstack_networking_secgroup_v2.group.id]
  peers       = [openstack_networking_secgroup_v2.group.id, openstack_networking_secgroup_v2.group.id]
  other_given = true

  depends_on = [openstack_networking_network_v2.net, openstack_networking_secgroup_v2.group]
}

module "open" {
  source  = "./modules/part"
  network = data.openstack_networking_network_v2.private.id

  other = (var.other_network != ""
    ? one(data.openstack_networking_network_v2.other_network[*].id)
    : ""
  )

  groups      = []
  peers       = []
  other_given = var.other_network != ""
}
