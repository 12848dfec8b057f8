# Made by hot2tf from input.yaml

data "openstack_lb_flavorprofile_v2" "made_by_hand" {
  name = "made-by-hand"
}

data "openstack_identity_project_v3" "project" {
  name       = local.project_is_id ? null : var.project
  project_id = local.project_is_id ? var.project : null
}

data "openstack_networking_subnet_v2" "subnet" {
  name      = local.subnet_is_id ? null : var.subnet
  subnet_id = local.subnet_is_id ? var.subnet : null
}
