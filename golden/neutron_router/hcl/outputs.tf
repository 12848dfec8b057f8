# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "gateway" {
  value = openstack_networking_router_v2.router.external_network_id
}
