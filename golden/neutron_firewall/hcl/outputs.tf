# Made by hot2tf from input.yaml

output "state" {
  value = openstack_fw_group_v2.all.status
}

output "policy_of_all" {
  value = openstack_fw_group_v2.all.ingress_firewall_policy_id
}

output "rules" {
  value = openstack_fw_policy_v2.policy.rules
}
