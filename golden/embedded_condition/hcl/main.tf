resource "openstack_networking_network_v2" "net" {
  count = local.is_prod ? 1 : 0

  name = "n"
}

# HOT450: kept as Heat: container.
# No mapping to Terraform resources yet.
resource "openstack_orchestration_stack_v1" "container" {
  count = local.wanted ? 1 : 0

  name             = "${var.stack_name}-container"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/container.yaml")
  }

  parameters = {
    stage    = var.stage
    net_name = local.is_prod ? openstack_networking_network_v2.net[0].name : ""
  }
}
