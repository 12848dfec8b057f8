# Made by hot2tf from input.yaml

data "openstack_networking_qos_policy_v2" "policy_name" {
  count = local.policy_name_is_id ? 0 : 1

  name = var.policy_name
}

data "openstack_networking_qos_policy_v2" "silver" {
  name = "silver"
}
