# Made by hot2tf from input.yaml

output "scope" {
  value = openstack_networking_addressscope_v2.scope.id
}

output "policy" {
  value = openstack_networking_rbac_policy_v2.for_all.id
}
