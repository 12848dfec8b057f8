# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_port_v2" "in" {
  name       = "${var.stack_name}-in"
  network_id = openstack_networking_network_v2.net.id
}

resource "openstack_networking_port_v2" "out" {
  name       = "${var.stack_name}-out"
  network_id = openstack_networking_network_v2.net.id
}

# HOT450: kept in Heat: label, meter.
# label, meter: the provider has no metering.
resource "openstack_orchestration_stack_v1" "label" {
  name             = "${var.stack_name}-label"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/label.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: pair, pairs, traffic, chain.
# pair, pairs, traffic, chain: the provider has no service function chaining.
resource "openstack_orchestration_stack_v1" "pair" {
  name             = "${var.stack_name}-pair"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/pair.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    in  = openstack_networking_port_v2.in.id
    out = openstack_networking_port_v2.out.id
  }
}

# HOT450: kept in Heat: gateway, joined.
# gateway, joined: the provider has no L2 gateways.
resource "openstack_orchestration_stack_v1" "gateway" {
  name             = "${var.stack_name}-gateway"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/gateway.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    net = openstack_networking_network_v2.net.id
  }
}

# HOT450: kept in Heat: old_gateway.
# The provider has no network gateways, which are a vendor extension.
resource "openstack_orchestration_stack_v1" "old_gateway" {
  name             = "${var.stack_name}-old-gateway"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/old_gateway.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: tap, flow.
# tap: the provider has tap mirrors, but no tap services.
# flow: the provider has tap mirrors, but no tap flows.
resource "openstack_orchestration_stack_v1" "tap" {
  name             = "${var.stack_name}-tap"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/tap.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    out = openstack_networking_port_v2.out.id
    in  = openstack_networking_port_v2.in.id
  }
}
