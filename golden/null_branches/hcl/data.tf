# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "private" {
  name = "private"
}

data "openstack_networking_secgroup_v2" "web" {
  count = local.is_used ? 1 : 0

  name = "web"
}

data "openstack_networking_subnet_v2" "port_subnet" {
  for_each = toset([
    for item in local.is_used ? [{ subnet = "private-subnet" }] : [] :
    try(item.subnet, item.subnet_id, null)
    if try(item.subnet, item.subnet_id, null) != null && !can(regex(local.uuid_pattern, try(item.subnet, item.subnet_id, null)))
  ])

  name = each.value
}
