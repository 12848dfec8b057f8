# Converted from infra.yaml by hot2tf.

output "network" {
  value = openstack_networking_network_v2.net.id

  depends_on = [openstack_networking_router_interface_v2.interface]
}

output "cidr" {
  value = openstack_networking_subnet_v2.subnet.cidr
}
