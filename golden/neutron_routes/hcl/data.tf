# Converted from input.yaml by hot2tf.

data "openstack_networking_router_v2" "router" {
  name      = local.router_is_id ? null : var.router
  router_id = local.router_is_id ? var.router : null
}
