# Made by hot2tf from input.yaml

data "openstack_networking_secgroup_v2" "group_security_group" {
  for_each = toset(var.peers)

  name        = can(regex(local.uuid_pattern, each.value)) ? null : each.value
  secgroup_id = can(regex(local.uuid_pattern, each.value)) ? each.value : null
}
