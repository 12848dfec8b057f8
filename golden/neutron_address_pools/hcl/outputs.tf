# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "scope" {
  value = openstack_networking_addressscope_v2.scope.id
}

output "policy" {
  value = openstack_networking_rbac_policy_v2.for_all.id
}
