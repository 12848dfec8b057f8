# Made by hot2tf from input.yaml

resource "openstack_networking_network_v2" "net" {
  name = "n"
}

resource "openstack_networking_subnet_v2" "a" {
  name       = "${var.stack_name}-a"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.70.0.0/24"
}

resource "openstack_networking_subnet_v2" "b" {
  name       = "${var.stack_name}-b"
  network_id = openstack_networking_network_v2.net.id
  cidr       = "10.71.0.0/24"
}

resource "openstack_networking_router_v2" "router" {
  name = "r"
}

resource "openstack_networking_router_v2" "other" {
  name = "o"
}

resource "openstack_networking_router_interface_v2" "first" {
  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.a.id
}

resource "openstack_networking_router_interface_v2" "maybe" {
  count = local.second ? 1 : 0

  router_id = openstack_networking_router_v2.router.id
  subnet_id = openstack_networking_subnet_v2.b.id
}

resource "openstack_networking_router_interface_v2" "apart" {
  router_id = openstack_networking_router_v2.other.id
  port_id   = data.openstack_networking_port_v2.spare.id
}

resource "openstack_fw_rule_v2" "web" {
  name                   = "web"
  description            = "from everywhere"
  protocol               = "tcp"
  action                 = "allow"
  ip_version             = 4
  source_ip_address      = "0.0.0.0/0"
  destination_ip_address = "10.70.0.0/24"
  source_port            = "1024:65535"
  destination_port       = var.port
  shared                 = false
  # HOT421: The provider does not send enabled = false when it creates the resource; a second apply does.
  enabled = var.active
}

resource "openstack_fw_rule_v2" "rest" {
  name        = "${var.stack_name}-rest"
  description = "nothing else"
  protocol    = "any"
}

resource "openstack_fw_policy_v2" "policy" {
  name        = "p"
  description = "in this order"
  rules       = [openstack_fw_rule_v2.web.id, openstack_fw_rule_v2.rest.id]
  audited     = true
  shared      = true
}

resource "openstack_fw_policy_v2" "empty" {
  name = "${var.stack_name}-empty"
}

# HOT421: Neutron has removed FWaaS v1, which protected whole routers; a v2 group protects the ports listed here, in both directions.
resource "openstack_fw_group_v2" "all" {
  name                       = "all"
  description                = "every router here"
  ingress_firewall_policy_id = openstack_fw_policy_v2.policy.id
  egress_firewall_policy_id  = openstack_fw_policy_v2.policy.id
  admin_state_up             = true

  ports = concat(
    [
      openstack_networking_router_interface_v2.first.port_id,
      openstack_networking_router_interface_v2.apart.port_id,
    ],
    openstack_networking_router_interface_v2.maybe[*].port_id,
  )
}

# HOT421: Neutron has removed FWaaS v1, which protected whole routers; a v2 group protects the ports listed here, in both directions.
# HOT401: vendor is dropped: FWaaS v2 groups have no equivalent.
resource "openstack_fw_group_v2" "some" {
  name                       = "${var.stack_name}-some"
  ingress_firewall_policy_id = openstack_fw_policy_v2.empty.id
  egress_firewall_policy_id  = openstack_fw_policy_v2.empty.id
  ports                      = [openstack_networking_router_interface_v2.apart.port_id]
}
