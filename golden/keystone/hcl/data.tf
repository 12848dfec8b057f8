# Made by hot2tf from input.yaml

data "openstack_identity_project_v3" "home" {
  name       = local.home_is_id ? null : var.home
  project_id = local.home_is_id ? var.home : null
}

data "openstack_identity_project_v3" "external" {
  name      = "external"
  is_domain = true
}

data "openstack_identity_role_v3" "auditor_role" {
  name = var.auditor_role
}

data "openstack_identity_role_v3" "member" {
  name = "member"
}

data "openstack_identity_group_v3" "auditors" {
  count = local.admin ? 1 : 0

  name = "auditors"
}

data "openstack_identity_group_v3" "helpers" {
  for_each = toset(var.helpers)

  name = each.value
}

data "openstack_identity_user_v3" "dora" {
  name      = "dora"
  domain_id = data.openstack_identity_project_v3.external.id
}

data "openstack_identity_project_v3" "lab" {
  name      = "lab"
  domain_id = "default"
}

data "openstack_identity_role_v3" "reader" {
  name = "reader"
}
