# Made by hot2tf from input.yaml

resource "openstack_networking_subnet_v2" "subnet" {
  name       = "${var.stack_name}-subnet"
  network_id = data.openstack_networking_network_v2.network.id
  cidr       = "10.0.0.0/24"
}

resource "openstack_networking_secgroup_v2" "group" {
  name = "g"
}

resource "openstack_networking_port_v2" "port" {
  name                  = "p"
  network_id            = data.openstack_networking_network_v2.network.id
  admin_state_up        = true
  mac_address           = "fa:16:3e:00:00:01"
  device_id             = "d"
  device_owner          = "compute:nova"
  dns_name              = "p"
  port_security_enabled = true

  security_group_ids = [
    openstack_networking_secgroup_v2.group.id,
    data.openstack_networking_secgroup_v2.default.id,
  ]

  qos_policy_id = data.openstack_networking_qos_policy_v2.gold.id
  tags          = ["x"]

  fixed_ip {
    subnet_id  = openstack_networking_subnet_v2.subnet.id
    ip_address = "10.0.0.7"
  }

  fixed_ip {
    ip_address = "10.0.0.8"
  }

  allowed_address_pairs {
    ip_address  = "10.0.0.100"
    mac_address = "fa:16:3e:00:00:02"
  }

  allowed_address_pairs {
    ip_address = "10.0.1.0/24"
  }

  binding {
    vnic_type = "direct"
    profile   = jsonencode({ capabilities = ["switchdev"] })
  }

  value_specs = { propagate_uplink_status = "true" }
}

resource "openstack_networking_port_v2" "open" {
  name                  = "${var.stack_name}-open"
  network_id            = data.openstack_networking_network_v2.network.id
  port_security_enabled = false
  no_security_groups    = true

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_port_v2" "addressless" {
  name        = "${var.stack_name}-addressless"
  network_id  = data.openstack_networking_network_v2.network.id
  no_fixed_ip = true

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_port_v2" "by_list" {
  name       = "${var.stack_name}-by_list"
  network_id = data.openstack_networking_network_v2.network.id

  security_group_ids = [
    for item in var.groups :
    data.openstack_networking_secgroup_v2.groups[item].id
  ]

  no_security_groups = length(var.groups) == 0 ? true : null

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}
