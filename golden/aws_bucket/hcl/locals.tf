# Made by hot2tf from input.yaml

locals {
  owner = "${data.openstack_identity_auth_scope_v3.current.project_name}:${data.openstack_identity_auth_scope_v3.current.user_name}"
}
