# Made by hot2tf from input.yaml

output "gateway" {
  value = openstack_networking_router_v2.router.external_network_id
}
