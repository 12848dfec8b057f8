# Made by hot2tf from input.yaml

# Types of a plug-in that derive from others

resource "openstack_networking_network_v2" "net" {
  name = "shop"
}

# HOT450: kept in Heat: password, till, port.
# password: a plug-in replaces Heat's own type, and the mapping of hot2tf is for that one.
# till, port: a plug-in defines the type, and there is no mapping for it.
resource "openstack_orchestration_stack_v1" "password" {
  name             = "${var.stack_name}-password"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/password.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    net = openstack_networking_network_v2.net.id
  }
}

resource "openstack_compute_instance_v2" "server" {
  name        = "${var.stack_name}-server"
  image_name  = "debian"
  flavor_name = "m1.small"

  network {
    port = lookup(local.password, "port", null)
  }
}
