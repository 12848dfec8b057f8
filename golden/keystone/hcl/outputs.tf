# Made by hot2tf from input.yaml

output "domain" {
  value = openstack_identity_project_v3.project.domain_id
}

output "parent" {
  value = openstack_identity_project_v3.project.parent_id
}

output "enabled" {
  value = openstack_identity_project_v3.project.enabled
}

output "is_domain" {
  value = openstack_identity_project_v3.project.is_domain
}

output "project_name" {
  value = openstack_identity_project_v3.in_default.name
}

output "helper" {
  value = [
    openstack_identity_user_v3.helper.name,
    openstack_identity_user_v3.helper.domain_id,
    openstack_identity_user_v3.helper.enabled,
    openstack_identity_user_v3.helper.default_project_id,
  ]
}
