# Made by hot2tf: hot2tf convert input.yaml -o DIR

data "openstack_identity_auth_scope_v3" "current" {
  name = "current"
}
