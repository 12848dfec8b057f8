# Made by hot2tf from input.yaml

# A component that is deployed, changed and removed by scripts, and a script that stands in the
# template.

# HOT450: kept in Heat: host, prepare_script, prepare, shop_component, shop.
# prepare, shop: an agent in the server gets it from Heat, and Heat waits for the signal.
# shop_component: it is the configuration of a deployment.
resource "openstack_orchestration_stack_v1" "host" {
  name             = "${var.stack_name}-host"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/host.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { release = var.release }
}
