# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_network_v2" "private" {
  count = local.is_used ? 1 : 0

  name = "private"
}
