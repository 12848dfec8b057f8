# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "net"
}

resource "time_sleep" "after_net" {
  create_duration  = "30s"
  destroy_duration = "30s"

  depends_on = [openstack_networking_network_v2.net]
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"

  depends_on = [time_sleep.after_net]
}

resource "time_sleep" "given" {
  destroy_duration = "${var.pause}s"
}

resource "time_sleep" "spread_out" {
  create_duration = "${random_integer.spread_out.result}ms"
}

resource "random_integer" "spread_out" {
  min = 1500
  max = 6500
}

resource "time_sleep" "chosen" {
  create_duration = "${random_integer.chosen.result}ms"
}

resource "random_integer" "chosen" {
  min = floor(var.pause * 1000)
  max = floor((var.pause + var.spread) * 1000)
}

resource "time_sleep" "none" {
  create_duration = "0s"
}

# HOT450: kept in Heat: suspended.
# It waits only when Heat suspends or resumes the stack.
resource "openstack_orchestration_stack_v1" "suspended" {
  name             = "${var.stack_name}-suspended"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/suspended.yaml")
  }

  environment_opts = { Bin = "{}" }
}
