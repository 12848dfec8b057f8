# Made by hot2tf from input.yaml

resource "openstack_networking_port_v2" "port" {
  name       = "${var.stack_name}-port"
  network_id = data.openstack_networking_network_v2.network.id
}

# HOT450: kept in Heat: workflow, nightly.
# workflow: the provider has only a data source for workflows.
# nightly: the provider has no workflow triggers.
resource "openstack_orchestration_stack_v1" "workflow" {
  name             = "${var.stack_name}-workflow"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/workflow.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: queue, subscription.
# queue, subscription: the provider has no message queues.
resource "openstack_orchestration_stack_v1" "queue" {
  name             = "${var.stack_name}-queue"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/queue.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: container.
# The provider has no containers outside of clusters.
resource "openstack_orchestration_stack_v1" "container" {
  name             = "${var.stack_name}-container"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/container.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    port = openstack_networking_port_v2.port.id
  }
}

# HOT450: kept in Heat: lease.
# The provider has no reservations.
resource "openstack_orchestration_stack_v1" "lease" {
  name             = "${var.stack_name}-lease"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/lease.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: ironic_port.
# Bare metal has a separate provider.
resource "openstack_orchestration_stack_v1" "ironic_port" {
  name             = "${var.stack_name}-ironic-port"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/ironic_port.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: alarm.
# The provider has no alarms.
resource "openstack_orchestration_stack_v1" "alarm" {
  name             = "${var.stack_name}-alarm"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/alarm.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: databases.
# The provider has no database clusters.
resource "openstack_orchestration_stack_v1" "databases" {
  name             = "${var.stack_name}-databases"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/databases.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: profile, cluster.
# profile, cluster: the provider has no server clusters.
resource "openstack_orchestration_stack_v1" "cluster" {
  name             = "${var.stack_name}-cluster"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/cluster.yaml")
  }

  environment_opts = { Bin = "{}" }
}
