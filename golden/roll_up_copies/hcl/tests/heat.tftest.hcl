# Made by hot2tf: hot2tf convert input.yaml --roll-up --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test
# As converted: 2 assertions about what Heat has no value for. They notice changes.

mock_provider "openstack" {}

override_resource {
  target = openstack_networking_network_v2.net

  values = {
    id = "net-id"
  }
}

override_resource {
  target = openstack_networking_subnet_v2.subnet

  values = {
    id = "subnet-id"
  }
}

override_resource {
  target = openstack_networking_port_v2.port[0]

  values = {
    id = "port_0-id"
  }
}

override_resource {
  target = openstack_networking_port_v2.port[1]

  values = {
    id = "port_1-id"
  }
}

override_resource {
  target = openstack_networking_port_v2.port[2]

  values = {
    id = "port_2-id"
  }
}

override_resource {
  target = openstack_compute_instance_v2.server["1"]

  values = {
    access_ip_v4 = "server_1-access_ip_v4"
  }
}

override_resource {
  target = openstack_networking_floatingip_v2.floating_ip[0]

  values = {
    address = "floating_ip_0-address"
  }
}

override_resource {
  target = openstack_networking_floatingip_v2.floating_ip[2]

  values = {
    address = "floating_ip_2-address"
  }
}

override_resource {
  target = openstack_networking_port_v2.port_3

  values = {
    id = "port_3-id"
  }
}

# As many values as possible are different.
run "other_values" {
  command = plan

  variables {
    image  = "other-ubuntu-24.04"
    public = "other-public"
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].name == "node-0"
    error_message = "server_0.name must be node-0, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].image_name == "other-ubuntu-24.04"
    error_message = "server_0.image must be other-ubuntu-24.04, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].flavor_name == "m1.small"
    error_message = "server_0.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].user_data == "number: 0"
    error_message = "server_0.user_data must be number: 0, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].name == "node-1"
    error_message = "server_1.name must be node-1, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].image_name == "other-ubuntu-24.04"
    error_message = "server_1.image must be other-ubuntu-24.04, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].flavor_name == "m1.large"
    error_message = "server_1.flavor must be m1.large, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].user_data == "number: 1"
    error_message = "server_1.user_data must be number: 1, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].name == "node-2"
    error_message = "server_2.name must be node-2, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].image_name == "other-ubuntu-24.04"
    error_message = "server_2.image must be other-ubuntu-24.04, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].flavor_name == "m1.large"
    error_message = "server_2.flavor must be m1.large, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].user_data == "number: 2"
    error_message = "server_2.user_data must be number: 2, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[0].pool == "other-public"
    error_message = "floating_ip_0.floating_network must be other-public, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[1].pool == "other-public"
    error_message = "floating_ip_1.floating_network must be other-public, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[2].pool == "other-public"
    error_message = "floating_ip_2.floating_network must be other-public, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server["0"].network) == 1
    error_message = "server_0.networks must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server["1"].network) == 1
    error_message = "server_1.networks must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server["2"].network) == 1
    error_message = "server_2.networks must be what Heat makes it."
  }
}

run "as_converted" {
  command = apply

  assert {
    condition     = openstack_networking_network_v2.net.name == "nodes"
    error_message = "net.name must be nodes, as in Heat."
  }

  assert {
    condition     = openstack_networking_subnet_v2.subnet.name == "nodes"
    error_message = "subnet.name must be nodes, as in Heat."
  }

  assert {
    condition     = openstack_networking_subnet_v2.subnet.network_id == "net-id"
    error_message = "subnet.network must be net-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_subnet_v2.subnet.cidr == "10.0.0.0/24"
    error_message = "subnet.cidr must be 10.0.0.0/24, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[0].name == "port-0"
    error_message = "port_0.name must be port-0, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[0].network_id == "net-id"
    error_message = "port_0.network must be net-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[0].fixed_ip[0].subnet_id == "subnet-id"
    error_message = "port_0.fixed_ips.0.subnet must be subnet-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[0].fixed_ip[0].ip_address == "10.0.0.10"
    error_message = "port_0.fixed_ips.0.ip_address must be 10.0.0.10, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[1].name == "port-1"
    error_message = "port_1.name must be port-1, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[1].network_id == "net-id"
    error_message = "port_1.network must be net-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[1].fixed_ip[0].subnet_id == "subnet-id"
    error_message = "port_1.fixed_ips.0.subnet must be subnet-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[1].fixed_ip[0].ip_address == "10.0.0.11"
    error_message = "port_1.fixed_ips.0.ip_address must be 10.0.0.11, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[2].name == "port-2"
    error_message = "port_2.name must be port-2, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[2].network_id == "net-id"
    error_message = "port_2.network must be net-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[2].fixed_ip[0].subnet_id == "subnet-id"
    error_message = "port_2.fixed_ips.0.subnet must be subnet-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port[2].fixed_ip[0].ip_address == "10.0.0.12"
    error_message = "port_2.fixed_ips.0.ip_address must be 10.0.0.12, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port_3.name == "port-3"
    error_message = "port_3.name must be port-3, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port_3.network_id == "net-id"
    error_message = "port_3.network must be net-id, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].name == "node-0"
    error_message = "server_0.name must be node-0, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].image_name == "ubuntu-24.04"
    error_message = "server_0.image must be ubuntu-24.04, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].flavor_name == "m1.small"
    error_message = "server_0.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].network[0].port == "port_0-id"
    error_message = "server_0.networks.0.port must be port_0-id, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["0"].user_data == "number: 0"
    error_message = "server_0.user_data must be number: 0, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].name == "node-1"
    error_message = "server_1.name must be node-1, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].image_name == "ubuntu-24.04"
    error_message = "server_1.image must be ubuntu-24.04, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].flavor_name == "m1.large"
    error_message = "server_1.flavor must be m1.large, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].network[0].port == "port_1-id"
    error_message = "server_1.networks.0.port must be port_1-id, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["1"].user_data == "number: 1"
    error_message = "server_1.user_data must be number: 1, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].name == "node-2"
    error_message = "server_2.name must be node-2, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].image_name == "ubuntu-24.04"
    error_message = "server_2.image must be ubuntu-24.04, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].flavor_name == "m1.large"
    error_message = "server_2.flavor must be m1.large, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].network[0].port == "port_2-id"
    error_message = "server_2.networks.0.port must be port_2-id, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server["2"].user_data == "number: 2"
    error_message = "server_2.user_data must be number: 2, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[0].pool == "public"
    error_message = "floating_ip_0.floating_network must be public, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[0].port_id == "port_0-id"
    error_message = "floating_ip_0.port_id must be port_0-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[1].pool == "public"
    error_message = "floating_ip_1.floating_network must be public, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[1].port_id == "port_1-id"
    error_message = "floating_ip_1.port_id must be port_1-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[2].pool == "public"
    error_message = "floating_ip_2.floating_network must be public, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.floating_ip[2].port_id == "port_2-id"
    error_message = "floating_ip_2.port_id must be port_2-id, as in Heat."
  }

  assert {
    condition     = openstack_blockstorage_volume_v3.disk_1.name == "disk-1"
    error_message = "disk_1.name must be disk-1, as in Heat."
  }

  assert {
    condition     = openstack_blockstorage_volume_v3.disk_1.size == 10
    error_message = "disk_1.size must be 10, as in Heat."
  }

  assert {
    condition     = openstack_blockstorage_volume_v3.disk_2.name == "disk-2"
    error_message = "disk_2.name must be disk-2, as in Heat."
  }

  assert {
    condition     = openstack_blockstorage_volume_v3.disk_2.size == 10
    error_message = "disk_2.size must be 10, as in Heat."
  }

  assert {
    condition     = openstack_blockstorage_volume_v3.disk_3.name == "disk-3"
    error_message = "disk_3.name must be disk-3, as in Heat."
  }

  assert {
    condition     = openstack_blockstorage_volume_v3.disk_3.size == 10
    error_message = "disk_3.size must be 10, as in Heat."
  }

  assert {
    condition     = output.second == "server_1-access_ip_v4"
    error_message = "outputs.second must be server_1-access_ip_v4, as in Heat."
  }

  assert {
    condition     = jsonencode(output.addresses) == jsonencode(["floating_ip_0-address", "floating_ip_2-address"])
    error_message = "outputs.addresses must be [\"floating_ip_0-address\", \"floating_ip_2-address\"], as in Heat."
  }

  assert {
    condition     = jsonencode(output.ports) == jsonencode(["port_1-id", "port_3-id"])
    error_message = "outputs.ports must be [\"port_1-id\", \"port_3-id\"], as in Heat."
  }

  assert {
    condition     = length(openstack_networking_port_v2.port[0].fixed_ip) == 1
    error_message = "port_0.fixed_ips must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_networking_port_v2.port[0].fixed_ip : tostring(item.subnet_id)]) == jsonencode(["subnet-id"])
    error_message = "port_0.fixed_ips.subnet_id must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_networking_port_v2.port[0].fixed_ip : tostring(item.ip_address)]) == jsonencode(["10.0.0.10"])
    error_message = "port_0.fixed_ips.ip_address must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_networking_port_v2.port[1].fixed_ip) == 1
    error_message = "port_1.fixed_ips must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_networking_port_v2.port[1].fixed_ip : tostring(item.subnet_id)]) == jsonencode(["subnet-id"])
    error_message = "port_1.fixed_ips.subnet_id must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_networking_port_v2.port[1].fixed_ip : tostring(item.ip_address)]) == jsonencode(["10.0.0.11"])
    error_message = "port_1.fixed_ips.ip_address must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_networking_port_v2.port[2].fixed_ip) == 1
    error_message = "port_2.fixed_ips must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_networking_port_v2.port[2].fixed_ip : tostring(item.subnet_id)]) == jsonencode(["subnet-id"])
    error_message = "port_2.fixed_ips.subnet_id must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_networking_port_v2.port[2].fixed_ip : tostring(item.ip_address)]) == jsonencode(["10.0.0.12"])
    error_message = "port_2.fixed_ips.ip_address must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server["0"].network) == 1
    error_message = "server_0.networks must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_compute_instance_v2.server["0"].network : tostring(item.port)]) == jsonencode(["port_0-id"])
    error_message = "server_0.networks.port must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server["1"].network) == 1
    error_message = "server_1.networks must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_compute_instance_v2.server["1"].network : tostring(item.port)]) == jsonencode(["port_1-id"])
    error_message = "server_1.networks.port must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server["2"].network) == 1
    error_message = "server_2.networks must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_compute_instance_v2.server["2"].network : tostring(item.port)]) == jsonencode(["port_2-id"])
    error_message = "server_2.networks.port must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_networking_port_v2.port_3.fixed_ip) == 1
    error_message = "length(openstack_networking_port_v2.port_3.fixed_ip) must be 1, as converted."
  }

  assert {
    condition     = openstack_networking_port_v2.port_3.fixed_ip[0].subnet_id == "subnet-id"
    error_message = "openstack_networking_port_v2.port_3.fixed_ip[0].subnet_id must be subnet-id, as converted."
  }
}
