# Converted from input.yaml by hot2tf.

output "gateway" {
  value = openstack_networking_router_v2.router.external_network_id
}
