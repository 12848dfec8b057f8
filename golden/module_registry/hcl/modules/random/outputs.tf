output "value" {
  value = openstack_networking_network_v2.net.name
}
