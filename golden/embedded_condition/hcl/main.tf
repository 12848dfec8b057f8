# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  count = local.is_prod ? 1 : 0

  name = "n"
}

# HOT450: kept in Heat: queue.
# The provider has no message queues.
resource "openstack_orchestration_stack_v1" "queue" {
  count = local.wanted ? 1 : 0

  name             = "${var.stack_name}-queue"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/queue.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    stage    = var.stage
    net_name = local.is_prod ? openstack_networking_network_v2.net[0].name : ""
  }
}
