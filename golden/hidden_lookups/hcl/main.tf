# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "named" {
  name       = "${var.stack_name}-named"
  network_id = data.openstack_networking_network_v2.private.id

  security_group_ids = [
    for item in var.groups :
    data.openstack_networking_secgroup_v2.groups[item].id
  ]

  no_security_groups = length(var.groups) == 0 ? true : null
}

resource "openstack_networking_port_v2" "made_up" {
  name       = "${var.stack_name}-made_up"
  network_id = data.openstack_networking_network_v2.private.id

  security_group_ids = [
    for item in [for g in var.groups : "${g}-group"] :
    can(regex(local.uuid_pattern, item)) ? item : data.openstack_networking_secgroup_v2.made_up_security_group[item].id
  ]
}
