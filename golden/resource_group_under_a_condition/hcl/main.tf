# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "ports" {
  count = local.is_used ? 2 : 0

  name       = "p${count.index}"
  network_id = data.openstack_networking_network_v2.private[0].id
}
