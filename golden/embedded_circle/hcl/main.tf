# Made by hot2tf from input.yaml

# The network stands between two parts of what stays with Heat, so it stays there too.

resource "openstack_networking_port_v2" "trunk_parent" {
  name       = "${var.stack_name}-trunk_parent"
  network_id = data.openstack_networking_network_v2.private.id
}

# HOT450: kept in Heat: first, middle, second.
# first, second: the provider has no resource for a region.
resource "openstack_orchestration_stack_v1" "first" {
  name             = "${var.stack_name}-first"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/first.yaml")
  }

  environment_opts = { Bin = "{}" }
}
