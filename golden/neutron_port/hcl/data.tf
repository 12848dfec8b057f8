# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "network" {
  name       = local.network_is_id ? null : var.network
  network_id = local.network_is_id ? var.network : null
}

data "openstack_networking_secgroup_v2" "default" {
  name = "default"
}

data "openstack_networking_qos_policy_v2" "gold" {
  name = "gold"
}

data "openstack_networking_secgroup_v2" "groups" {
  for_each = toset(var.groups)

  name = each.value
}
