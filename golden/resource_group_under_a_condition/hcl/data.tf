# Made by hot2tf from input.yaml

data "openstack_networking_network_v2" "private" {
  count = local.is_used ? 1 : 0

  name = "private"
}
