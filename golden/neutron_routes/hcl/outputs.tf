# Made by hot2tf from input.yaml

output "router_of_routes" {
  value = openstack_networking_router_routes_v2.routes.id
}
