# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_networking_router_v2" "router" {
  name      = local.router_is_id ? null : var.router
  router_id = local.router_is_id ? var.router : null
}
