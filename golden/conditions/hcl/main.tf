# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = local.is_prod ? "production" : var.stage
}

resource "openstack_networking_subnet_v2" "subnet" {
  count = local.in_list ? 1 : 0

  name       = "${var.stack_name}-subnet"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_port_v2" "port" {
  count = local.both ? 1 : 0

  name           = "${var.stack_name}-port"
  network_id     = openstack_networking_network_v2.net.id
  admin_state_up = local.either
  tags           = concat(["always"], local.is_public ? ["public"] : [])

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}
