# Made by hot2tf from input.yaml

data "openstack_identity_auth_scope_v3" "current" {
  name = "current"
}

data "openstack_identity_project_v3" "tenants" {
  for_each = toset(var.tenants)

  name = each.value
}
