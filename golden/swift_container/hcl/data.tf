# Made by hot2tf from input.yaml

data "openstack_identity_auth_scope_v3" "current" {
  name = "current"
}
