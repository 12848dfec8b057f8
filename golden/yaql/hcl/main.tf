# Made by hot2tf from input.yaml

# HOT450: kept in Heat: output up.
# YAQL: where with a condition that is not a boolean has no equivalent in Terraform.
resource "openstack_orchestration_stack_v1" "outputs" {
  name             = "${var.stack_name}-outputs"
  disable_rollback = true

  template_opts = {
    Bin = templatefile("${path.module}/templates/outputs.yaml.tftpl", { servers = var.servers })
  }

  environment_opts = { Bin = "{}" }
}
