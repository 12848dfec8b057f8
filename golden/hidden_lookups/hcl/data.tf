# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_secgroup_v2" "groups" {
  for_each = toset(nonsensitive(var.groups))

  name = each.value
}

data "openstack_networking_secgroup_v2" "made_up_security_group" {
  for_each = toset([
    for item in nonsensitive([for g in var.groups : "${g}-group"]) :
    item
    if !can(regex(local.uuid_pattern, item))
  ])

  name = each.value
}
