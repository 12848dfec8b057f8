# HOT450: kept in Heat: output up.
# YAQL: where with a condition that is not a boolean has no equivalent in Terraform.
resource "openstack_orchestration_stack_v1" "outputs" {
  name             = "${var.stack_name}-outputs"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/outputs.yaml")
  }

  parameters = {
    servers = jsonencode(var.servers)
  }
}
