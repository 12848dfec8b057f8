# Made by hot2tf from input.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

override_resource {
  target = openstack_networking_network_v2.net
  values = { id = "net-id" }
}

override_resource {
  target = openstack_networking_subnet_v2.subnet
  values = { id = "subnet-id" }
}

override_resource {
  target = openstack_networking_port_v2.port[0]
  values = { id = "port_0-id" }
}

override_resource {
  target = openstack_networking_port_v2.port[1]
  values = { id = "port_1-id" }
}

override_resource {
  target = openstack_networking_port_v2.port[2]
  values = { id = "port_2-id" }
}

override_resource {
  target = openstack_compute_instance_v2.server["1"]
  values = { access_ip_v4 = "server_1-access_ip_v4" }
}

override_resource {
  target = openstack_networking_floatingip_v2.floating_ip[0]
  values = { address = "floating_ip_0-address" }
}

override_resource {
  target = openstack_networking_floatingip_v2.floating_ip[2]
  values = { address = "floating_ip_2-address" }
}

override_resource {
  target = openstack_networking_port_v2.port_3
  values = { id = "port_3-id" }
}

run "as_converted" {
  command = apply

  assert {
    condition = alltrue([
      openstack_networking_network_v2.net.name == "nodes",
      openstack_networking_subnet_v2.subnet.name == "nodes",
      openstack_networking_subnet_v2.subnet.network_id == "net-id",
      openstack_networking_subnet_v2.subnet.cidr == "10.0.0.0/24",
      openstack_networking_port_v2.port[0].name == "port-0",
      openstack_networking_port_v2.port[0].network_id == "net-id",
      openstack_networking_port_v2.port[1].name == "port-1",
      openstack_networking_port_v2.port[1].network_id == "net-id",
      openstack_networking_port_v2.port[2].name == "port-2",
      openstack_networking_port_v2.port[2].network_id == "net-id",
      openstack_networking_port_v2.port_3.name == "port-3",
      openstack_networking_port_v2.port_3.network_id == "net-id",
      openstack_compute_instance_v2.server["0"].name == "node-0",
      openstack_compute_instance_v2.server["0"].image_name == "ubuntu-24.04",
      openstack_compute_instance_v2.server["0"].flavor_name == "m1.small",
      openstack_compute_instance_v2.server["0"].user_data == "number: 0",
      openstack_compute_instance_v2.server["1"].name == "node-1",
      openstack_compute_instance_v2.server["1"].image_name == "ubuntu-24.04",
      openstack_compute_instance_v2.server["1"].flavor_name == "m1.large",
      openstack_compute_instance_v2.server["1"].user_data == "number: 1",
      openstack_compute_instance_v2.server["2"].name == "node-2",
      openstack_compute_instance_v2.server["2"].image_name == "ubuntu-24.04",
      openstack_compute_instance_v2.server["2"].flavor_name == "m1.large",
      openstack_compute_instance_v2.server["2"].user_data == "number: 2",
      openstack_networking_floatingip_v2.floating_ip[0].pool == "public",
      openstack_networking_floatingip_v2.floating_ip[0].port_id == "port_0-id",
      openstack_networking_floatingip_v2.floating_ip[1].pool == "public",
      openstack_networking_floatingip_v2.floating_ip[1].port_id == "port_1-id",
      openstack_networking_floatingip_v2.floating_ip[2].pool == "public",
      openstack_networking_floatingip_v2.floating_ip[2].port_id == "port_2-id",
      openstack_blockstorage_volume_v3.disk_1.name == "disk-1",
      openstack_blockstorage_volume_v3.disk_1.size == 10,
      openstack_blockstorage_volume_v3.disk_2.name == "disk-2",
      openstack_blockstorage_volume_v3.disk_2.size == 10,
      openstack_blockstorage_volume_v3.disk_3.name == "disk-3",
      openstack_blockstorage_volume_v3.disk_3.size == 10,
      output.second == "server_1-access_ip_v4",
      jsonencode(output.addresses) == jsonencode(["floating_ip_0-address", "floating_ip_2-address"]),
      jsonencode(output.ports) == jsonencode(["port_1-id", "port_3-id"]),
      jsonencode([for item in openstack_networking_port_v2.port[0].fixed_ip : tostring(item.subnet_id)]) == jsonencode(["subnet-id"]),
      jsonencode([for item in openstack_networking_port_v2.port[0].fixed_ip : tostring(item.ip_address)]) == jsonencode(["10.0.0.10"]),
      jsonencode([for item in openstack_networking_port_v2.port[1].fixed_ip : tostring(item.subnet_id)]) == jsonencode(["subnet-id"]),
      jsonencode([for item in openstack_networking_port_v2.port[1].fixed_ip : tostring(item.ip_address)]) == jsonencode(["10.0.0.11"]),
      jsonencode([for item in openstack_networking_port_v2.port[2].fixed_ip : tostring(item.subnet_id)]) == jsonencode(["subnet-id"]),
      jsonencode([for item in openstack_networking_port_v2.port[2].fixed_ip : tostring(item.ip_address)]) == jsonencode(["10.0.0.12"]),
      jsonencode([for item in openstack_compute_instance_v2.server["0"].network : tostring(item.port)]) == jsonencode(["port_0-id"]),
      jsonencode([for item in openstack_compute_instance_v2.server["1"].network : tostring(item.port)]) == jsonencode(["port_1-id"]),
      jsonencode([for item in openstack_compute_instance_v2.server["2"].network : tostring(item.port)]) == jsonencode(["port_2-id"]),
      length(openstack_networking_port_v2.port_3.fixed_ip) == 1,
      openstack_networking_port_v2.port_3.fixed_ip[0].subnet_id == "subnet-id",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
