# Converted from input.yaml by hot2tf.

output "router_of_routes" {
  value = openstack_networking_router_routes_v2.routes.id
}
