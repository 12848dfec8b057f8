# Made by hot2tf from base.yaml

output "network" {
  value = openstack_networking_network_v2.network.id

  depends_on = [openstack_networking_router_interface_v2.interface]
}
