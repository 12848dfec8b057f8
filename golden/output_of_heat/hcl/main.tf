# HOT450: kept as Heat: net.
# The API object of net is not in Terraform.
resource "openstack_orchestration_stack_v1" "net" {
  name             = "${var.stack_name}-net"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/net.yaml")
  }
}

# HOT450: kept as Heat: output sorted, output grouped.
# output sorted: YAQL: .orderBy() has no counterpart.
# output grouped: YAQL: .groupBy() has no counterpart.
resource "openstack_orchestration_stack_v1" "outputs" {
  name             = "${var.stack_name}-outputs"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/outputs.yaml")
  }

  parameters = {
    data  = jsonencode(var.data)
    words = jsonencode(var.words)
  }
}
