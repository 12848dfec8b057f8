# Made by hot2tf from input.yaml

# Only one of two that stay together has a condition, so it stands inside the stack.

# HOT450: kept in Heat: always, sometimes.
# always, sometimes: the provider has no message queues.
resource "openstack_orchestration_stack_v1" "always" {
  name             = "${var.stack_name}-always"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/always.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    log = title(var.log)
  }
}
