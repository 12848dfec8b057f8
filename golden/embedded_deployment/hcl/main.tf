# Made by hot2tf from input.yaml

# HOT450: kept in Heat: config, server, deployment.
# deployment: an agent in the server gets it from Heat, and Heat waits for the signal.
resource "openstack_orchestration_stack_v1" "server" {
  name             = "${var.stack_name}-server"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/server.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    key  = var.key
    port = openstack_networking_port_v2.port.id
  }
}

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = data.openstack_networking_network_v2.private.id
}
