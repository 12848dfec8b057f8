# Made by hot2tf from input.yaml

# A server signals that it is ready, which takes more than an hour.

# HOT450: kept in Heat: handle, server, ready.
# handle: it receives signals through Heat.
# ready: it waits for signals to a handle in the same stack.
resource "openstack_orchestration_stack_v1" "server" {
  name             = "${var.stack_name}-server"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/server.yaml")
  }

  environment_opts = { Bin = "{}" }

  # The default timeout of the provider is one hour. Heat waits longer here.
  timeouts {
    create = "130m"
  }
}

resource "openstack_networking_floatingip_v2" "address" {
  pool = "public"

  depends_on = [openstack_orchestration_stack_v1.server]
}
