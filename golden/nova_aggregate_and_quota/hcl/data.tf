# Made by hot2tf from input.yaml

data "openstack_identity_project_v3" "project" {
  name       = local.project_is_id ? null : var.project
  project_id = local.project_is_id ? var.project : null
}
