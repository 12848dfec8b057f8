output "name" {
  value = data.openstack_networking_network_v2.net.name
}
