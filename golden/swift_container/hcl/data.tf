# Converted from input.yaml by hot2tf.

data "openstack_identity_auth_scope_v3" "current" {
  name = "current"
}
