# Made by hot2tf from input.yaml

# A subnet asks which subnets there are, which only Heat knows; the port beside it stays native.

# HOT450: kept in Heat: net, first, second.
# net: only Heat knows the subnets of net when second reads them.
resource "openstack_orchestration_stack_v1" "net" {
  name             = "${var.stack_name}-net"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/net.yaml")
  }

  environment_opts = { Bin = "{}" }
}

resource "openstack_networking_port_v2" "port" {
  name       = lookup(local.net, "net_subnets_0", null)
  network_id = lookup(local.net, "net", null)
}
