# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "router_of_routes" {
  value = openstack_networking_router_routes_v2.routes.id
}
