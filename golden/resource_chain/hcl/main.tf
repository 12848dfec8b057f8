# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "first" {
  name = "first"
}

resource "openstack_networking_network_v2" "names_0" {
  name           = "lab"
  admin_state_up = true

  depends_on = [openstack_networking_network_v2.first]
}

resource "openstack_networking_router_v2" "names_1" {
  name           = "lab"
  admin_state_up = true

  depends_on = [openstack_networking_network_v2.names_0]
}

resource "openstack_networking_network_v2" "names_2" {
  name           = "lab"
  admin_state_up = true

  depends_on = [openstack_networking_router_v2.names_1]
}

resource "openstack_networking_network_v2" "pair_0" {
  name = "${var.stack_name}-pair-0"
}

resource "openstack_networking_network_v2" "pair_1" {
  name = "${var.stack_name}-pair-1"

  depends_on = [openstack_networking_network_v2.pair_0]
}

resource "openstack_networking_network_v2" "at_once_0" {
  count = local.wanted ? 1 : 0

  name = "other"
}

resource "openstack_networking_router_v2" "at_once_1" {
  count = local.wanted ? 1 : 0

  name = "other"
}

# HOT450: kept in Heat: handles.
# A member is of type OS::Heat::WaitConditionHandle, which stays with Heat.
resource "openstack_orchestration_stack_v1" "handles" {
  name             = "${var.stack_name}-handles"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/handles.yaml")
  }

  environment_opts = { Bin = "{}" }
}
