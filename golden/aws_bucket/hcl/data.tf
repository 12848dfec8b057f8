data "openstack_identity_auth_scope_v3" "current" {
  name = "current"
}
