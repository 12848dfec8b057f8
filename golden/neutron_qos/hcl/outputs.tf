# Made by hot2tf from input.yaml

output "rule" {
  value = element(split("/", openstack_networking_qos_minimum_bandwidth_rule_v2.least.id), 1)
}

output "optional_rule" {
  value = (local.limited
    ? element(split("/", openstack_networking_qos_bandwidth_limit_rule_v2.limit[0].id), 1)
    : null
  )
}

output "rule_again" {
  value = element(split("/", openstack_networking_qos_dscp_marking_rule_v2.mark.id), 1)
}
