# Made by hot2tf from input.yaml

# What Terraform has nothing for, and nothing else needs.

# About restart, which is not written here:
#   restarts the server at night
# HOT589: restart (OS::Mistral::Workflow) is left out: the provider has only a data source for workflows, and nothing else needs it.
# HOT589: nightly (OS::Mistral::CronTrigger) is left out: the provider has no workflow triggers, and nothing else needs it.
# About alarm, which is not written here:
#   tells somebody
# HOT589: alarm (OS::Aodh::EventAlarm) is left out: the provider has no alarms, and nothing else needs it.

resource "openstack_compute_instance_v2" "server" {
  name        = "web"
  image_name  = "debian-12"
  flavor_name = "m1.small"
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

resource "openstack_compute_instance_v2" "worker" {
  name        = "worker"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  user_data = <<-EOT
    #!/bin/sh
    work ${lookup(local.queue, "queue", "")}
  EOT
}

# HOT450: kept in Heat: label, rule.
# label, rule: --keep names its type.
resource "openstack_orchestration_stack_v1" "label" {
  name             = "${var.stack_name}-label"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/label.yaml")
  }

  environment_opts = { Bin = "{}" }
}
