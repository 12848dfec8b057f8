# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  owner = "${data.openstack_identity_auth_scope_v3.current.project_name}:${data.openstack_identity_auth_scope_v3.current.user_name}"
}
