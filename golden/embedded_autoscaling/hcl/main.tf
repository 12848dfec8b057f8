# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

# HOT450: kept in Heat: group, up, alarm.
# group: Terraform has no autoscaling groups.
# up: it acts on signals that Heat receives.
# alarm: the provider has no alarms.
resource "openstack_orchestration_stack_v1" "group" {
  name             = "${var.stack_name}-group"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/group.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    image    = var.image
    net      = openstack_networking_network_v2.net.id
    stack_id = random_uuid.stack_id.result
  }

  # A port that is created before the subnets of its network has no address.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "random_uuid" "stack_id" {}
