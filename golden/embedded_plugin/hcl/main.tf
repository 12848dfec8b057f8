# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "network" {
  name = "n"
}

# HOT450: kept in Heat: policy.
# OS::Contrail::NetworkPolicy is not one of Heat's own types.
resource "openstack_orchestration_stack_v1" "policy" {
  name             = "${var.stack_name}-policy"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/policy.yaml")
  }

  environment_opts = { Bin = "{}" }

  depends_on = [openstack_networking_network_v2.network]
}
