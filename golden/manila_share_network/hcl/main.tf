# Made by hot2tf from input.yaml

resource "openstack_sharedfilesystem_securityservice_v2" "directory" {
  name = "directory"
  type = "kerberos"
}

resource "openstack_sharedfilesystem_sharenetwork_v2" "net" {
  name              = "shares"
  description       = "For shares"
  neutron_net_id    = data.openstack_networking_network_v2.network.id
  neutron_subnet_id = data.openstack_networking_subnet_v2.subnet.id

  security_service_ids = [
    openstack_sharedfilesystem_securityservice_v2.directory.id,
    "01234567-89ab-cdef-0123-456789abcdef",
  ]
}

resource "openstack_sharedfilesystem_sharenetwork_v2" "of_subnet" {
  neutron_net_id       = data.openstack_networking_subnet_v2.of_subnet_subnet.network_id
  neutron_subnet_id    = "76543210-89ab-cdef-0123-456789abcdef"
  security_service_ids = [var.service]
}

# HOT450: kept in Heat: neither.
# The provider rejects neither: neutron_net_id is required.
resource "openstack_orchestration_stack_v1" "neither" {
  name             = "${var.stack_name}-neither"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/neither.yaml")
  }

  environment_opts = { Bin = "{}" }
}

# HOT450: kept in Heat: by_hand.
# The provider cannot look up a security service by name, and this may be a name.
resource "openstack_orchestration_stack_v1" "by_hand" {
  name             = "${var.stack_name}-by-hand"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/by_hand.yaml")
  }

  environment_opts = { Bin = "{}" }
  parameters       = { network = var.network, subnet = var.subnet }
}
