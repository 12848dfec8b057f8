# Made by hot2tf from input.yaml

# Keys that Heat adds to its requests to Neutron. Lists and maps become arguments where the
# provider has them; others keep their resource in Heat.

resource "openstack_networking_network_v2" "net" {
  name = "net"

  segments {
    network_type    = "vlan"
    segmentation_id = 100
  }

  value_specs = { is_default = false }
}

resource "openstack_networking_network_v2" "segments" {
  name = "segments"

  segments {
    network_type     = "vlan"
    physical_network = "one"
    segmentation_id  = 101
  }

  segments {
    network_type     = "flat"
    physical_network = "two"
  }
}

resource "openstack_networking_port_v2" "port" {
  name       = "port"
  network_id = openstack_networking_network_v2.net.id

  extra_dhcp_option {
    name  = "interface-mtu"
    value = var.mtu
  }

  extra_dhcp_option {
    name       = "ntp-server"
    value      = "2001:db8::1"
    ip_version = 6
  }

  binding {
    profile = jsonencode({ capabilities = ["switchdev"] })
    host_id = "host-1"
  }

  value_specs = { device_profile = "gpu" }

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_port_v2" "port_of_value" {
  name       = "port_of_value"
  network_id = openstack_networking_network_v2.net.id

  extra_dhcp_option {
    name  = "tftp-server"
    value = "192.0.2.1"
  }

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_port_v2" "port_of_parameter" {
  name       = "port_of_parameter"
  network_id = openstack_networking_network_v2.net.id

  dynamic "extra_dhcp_option" {
    for_each = try(var.options.extra_dhcp_opts, [])

    content {
      name       = try(extra_dhcp_option.value.opt_name, null)
      value      = try(extra_dhcp_option.value.opt_value, null)
      ip_version = try(extra_dhcp_option.value.ip_version, null)
    }
  }

  value_specs = {
    for key, value in var.options :
    key => value
    if !contains(["extra_dhcp_opts"], key)
  }

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

resource "openstack_networking_port_v2" "port_of_branches" {
  name       = "port_of_branches"
  network_id = openstack_networking_network_v2.net.id

  binding {
    profile = local.is_fast ? jsonencode({ trusted = true }) : null
  }

  dynamic "extra_dhcp_option" {
    for_each = local.is_fast ? [] : [1]

    content {
      name  = "domain-name"
      value = "example.com"
    }
  }

  fixed_ip {
    subnet_id = openstack_networking_subnet_v2.subnet.id
  }
}

# HOT450: kept in Heat: port_with_hints.
# The provider sends the values of value_specs as texts, and hints is a list or a map.
resource "openstack_orchestration_stack_v1" "port_with_hints" {
  name             = "${var.stack_name}-port-with-hints"
  disable_rollback = true

  template_opts = {
    Bin = file("${path.module}/templates/port_with_hints.yaml")
  }

  environment_opts = { Bin = "{}" }

  parameters = {
    net = openstack_networking_network_v2.net.id
  }

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_subnet_v2" "subnet" {
  name          = "subnet"
  network_id    = openstack_networking_network_v2.net.id
  cidr          = "192.0.2.0/24"
  service_types = ["network:floatingip"]
}

resource "openstack_compute_instance_v2" "server" {
  name        = "server"
  image_name  = "debian-12"
  flavor_name = "m1.small"

  network {
    port = openstack_networking_port_v2.server.id
  }

  # Heat creates the subnets of a network before its ports.
  depends_on = [openstack_networking_subnet_v2.subnet]
}

resource "openstack_networking_port_v2" "server" {
  name       = "server-port-0"
  network_id = openstack_networking_network_v2.net.id

  extra_dhcp_option {
    name  = "router"
    value = "192.0.2.254"
  }

  value_specs = { device_profile = "gpu" }
}
