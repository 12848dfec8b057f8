# Made by hot2tf from site.yaml

# About status, which is not written here:
#   for the curious

output "net" {
  value = openstack_networking_network_v2.net.id

  depends_on = [openstack_networking_router_interface_v2.interface]
}

output "subnet" {
  value = openstack_networking_subnet_v2.subnet.id

  depends_on = [openstack_networking_router_interface_v2.interface]
}

output "interface" {
  value = "${openstack_networking_router_interface_v2.interface.router_id}:subnet_id=${openstack_networking_router_interface_v2.interface.subnet_id}"
}
