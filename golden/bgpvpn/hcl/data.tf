# Made by hot2tf from input.yaml

data "openstack_identity_project_v3" "research" {
  name = "research"
}

data "openstack_networking_router_v2" "edge_router" {
  name      = local.edge_router_is_id ? null : var.edge_router
  router_id = local.edge_router_is_id ? var.edge_router : null
}
