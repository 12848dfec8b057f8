# Made by hot2tf from input.yaml

resource "openstack_networking_qos_policy_v2" "policy" {
  name        = "gold"
  project_id  = "0f0c5e2c8a2b4a6f9a7d2a1e5b3c4d6e"
  shared      = true
  description = "for paying guests"
}

resource "openstack_networking_qos_policy_v2" "unnamed" {
  name = "${var.stack_name}-unnamed"
}

resource "openstack_networking_qos_bandwidth_limit_rule_v2" "limit" {
  count = local.limited ? 1 : 0

  qos_policy_id  = openstack_networking_qos_policy_v2.policy.id
  max_kbps       = var.ceiling
  max_burst_kbps = 8000
  direction      = "ingress"
}

# HOT401: tenant_id is dropped: a rule belongs to its policy and the provider cannot set another owner.
resource "openstack_networking_qos_bandwidth_limit_rule_v2" "limit_by_name" {
  qos_policy_id = openstack_networking_qos_policy_v2.policy.id
  max_kbps      = 0
}

resource "openstack_networking_qos_dscp_marking_rule_v2" "mark" {
  qos_policy_id = (local.policy_name_is_id
    ? var.policy_name
    : data.openstack_networking_qos_policy_v2.policy_name[0].id
  )

  dscp_mark = 0
}

resource "openstack_networking_qos_minimum_bandwidth_rule_v2" "least" {
  qos_policy_id = data.openstack_networking_qos_policy_v2.silver.id
  min_kbps      = 500
}

# HOT450: kept in Heat: packets.
# The provider has no rule for a minimum packet rate.
resource "openstack_orchestration_stack_v1" "packets" {
  name             = "${var.stack_name}-packets"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/packets.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    policy = openstack_networking_qos_policy_v2.policy.id
  }
}

resource "openstack_networking_network_v2" "net" {
  name          = "n"
  qos_policy_id = openstack_networking_qos_policy_v2.unnamed.id
}
