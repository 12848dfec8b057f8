# Made by hot2tf from input.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

variables {
  flavor     = "m1.large"
  label      = "a-label"
  password   = "a-password"
  stack_name = "stack"
}

override_resource {
  target = openstack_networking_network_v2.net
  values = { id = "net-id" }
}

override_data {
  target = data.openstack_networking_secgroup_v2.default
  values = { id = "default-id" }
}

override_resource {
  target = openstack_networking_port_v2.port

  values = {
    all_fixed_ips = [
      "port-all_fixed_ips-0",
      "port-all_fixed_ips-1",
      "port-all_fixed_ips-2",
      "port-all_fixed_ips-3",
    ]
    id = "port-id"
  }
}

override_resource {
  target = openstack_networking_port_v2.workers[0]
  values = { id = "workers-0-id" }
}

override_resource {
  target = openstack_networking_port_v2.workers[1]
  values = { id = "workers-1-id" }
}

override_resource {
  target = openstack_networking_floatingip_v2.address
  values = { address = "address-address" }
}

run "refused" {
  command = plan

  variables {
    flavor = "not-m1.small"
    size   = -1
  }

  expect_failures = [var.size, var.flavor]
}

run "as_converted" {
  command = apply

  assert {
    condition = alltrue([
      openstack_networking_network_v2.net.name == "inner",
      openstack_networking_port_v2.port.network_id == "net-id",
      data.openstack_networking_secgroup_v2.default.name == "default",
      openstack_networking_port_v2.port.security_group_ids == toset(["default-id"]),
      length(openstack_networking_floatingip_v2.address) == 0,
      openstack_compute_instance_v2.server.image_name == "debian",
      openstack_compute_instance_v2.server.flavor_name == "m1.large",
      openstack_compute_instance_v2.server.admin_pass == "a-password",
      contains(openstack_compute_instance_v2.server.tags, "a-label"),
      sha256(openstack_compute_instance_v2.server.user_data) == "d71329038f49c0179ed51358413283c8e468b88809db9185b1057af931260ee6",
      length(openstack_networking_port_v2.workers) == 2,
      openstack_networking_port_v2.workers[0].name == "worker-0",
      openstack_networking_port_v2.workers[1].name == "worker-1",
      openstack_networking_port_v2.workers[0].network_id == "net-id",
      openstack_networking_port_v2.workers[1].network_id == "net-id",
      output.url == "none",
      jsonencode(output.ports) == jsonencode(["workers-0-id", "workers-1-id"]),
      jsonencode([for item in openstack_compute_instance_v2.server.network : tostring(item.port)]) == jsonencode(["port-id"]),
      openstack_networking_port_v2.port.name == "stack-port",
      openstack_compute_instance_v2.server.name == "stack-server",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}

run "with_is_public" {
  command = apply

  variables {
    public = true
  }

  assert {
    condition = alltrue([
      length(openstack_networking_floatingip_v2.address) == 1,
      openstack_networking_floatingip_v2.address[0].pool == "outside",
      openstack_networking_floatingip_v2.address[0].port_id == "port-id",
      output.url == "address-address",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
