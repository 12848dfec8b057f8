# Made by hot2tf from input.yaml

data "openstack_networking_router_v2" "router" {
  name      = local.router_is_id ? null : var.router
  router_id = local.router_is_id ? var.router : null
}
