# Made by hot2tf from input.yaml

# The template of Heat's plug-in guide, and the other type of its examples

# HOT450: kept in Heat: resource-1.
# A plug-in defines the type, and there is no mapping for it.
resource "openstack_orchestration_stack_v1" "resource_1" {
  name             = "${var.stack_name}-resource-1"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/resource_1.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { size = var.size }
}

resource "openstack_networking_network_v2" "net" {
  name = lookup(local.resource_1, "resource-1_Attr_1", null)
}

# HOT450: kept in Heat: custom.
# A plug-in defines the type, and there is no mapping for it.
resource "openstack_orchestration_stack_v1" "custom" {
  name             = "${var.stack_name}-custom"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/custom.yaml")
  }

  environment_opts = { Bin = "{}" }

  depends_on = [openstack_networking_network_v2.net]
}
