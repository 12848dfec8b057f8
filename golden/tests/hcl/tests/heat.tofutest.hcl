# Made by hot2tf: hot2tf convert input.yaml -e prod.env.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test
# As converted: 4 assertions about what Heat has no value for. They notice changes.

mock_provider "openstack" {}

variables {
  flavor     = "m1.large"
  label      = "a-label"
  password   = "a-password"
  stack_name = "stack"
}

override_resource {
  target = openstack_networking_network_v2.net

  values = {
    id = "net-id"
  }
}

override_data {
  target = data.openstack_networking_secgroup_v2.default

  values = {
    id = "default-id"
  }
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
  target = openstack_networking_port_v2.workers

  values = {
    id = "workers-id"
  }
}

override_resource {
  target = openstack_networking_floatingip_v2.address

  values = {
    address = "address-address"
  }
}

# As many values as possible are different.
run "other_values" {
  command = plan

  variables {
    flavor = "m1.small"
    label  = "other-a-label"
    size   = 3
  }

  assert {
    condition     = openstack_compute_instance_v2.server.image_name == "debian"
    error_message = "server.image must be debian, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.flavor_name == "m1.small"
    error_message = "server.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.admin_pass == "a-password"
    error_message = "server.admin_pass must be a-password, as in Heat."
  }

  assert {
    condition     = contains(openstack_compute_instance_v2.server.tags, "other-a-label")
    error_message = "server.tags.0 must be other-a-label, as in Heat."
  }

  assert {
    condition     = length(openstack_networking_port_v2.workers) == 3
    error_message = "workers: there must be 3 members."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[0].name == "worker-0"
    error_message = "workers.0.name must be worker-0, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[1].name == "worker-1"
    error_message = "workers.1.name must be worker-1, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[2].name == "worker-2"
    error_message = "workers.2.name must be worker-2, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server.network) == 1
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.name == "stack-server"
    error_message = "openstack_compute_instance_v2.server.name must be stack-server, as converted."
  }
}

# The template's defaults instead of other values.
run "defaults" {
  command = plan

  variables {
    flavor = "m1.small"
  }

  assert {
    condition     = openstack_compute_instance_v2.server.image_name == "debian"
    error_message = "server.image must be debian, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.flavor_name == "m1.small"
    error_message = "server.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.admin_pass == "a-password"
    error_message = "server.admin_pass must be a-password, as in Heat."
  }

  assert {
    condition     = contains(openstack_compute_instance_v2.server.tags, "a-label")
    error_message = "server.tags.0 must be a-label, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server.network) == 1
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.name == "stack-server"
    error_message = "openstack_compute_instance_v2.server.name must be stack-server, as converted."
  }
}

# The group workers has 0 members.
run "workers_of_0" {
  command = plan

  variables {
    size = 0
  }

  assert {
    condition     = length(openstack_networking_port_v2.workers) == 0
    error_message = "workers: there must be 0 members."
  }

  assert {
    condition     = jsonencode(output.ports) == jsonencode([])
    error_message = "outputs.ports must be [], as in Heat."
  }
}

# The group workers has 1 member.
run "workers_of_1" {
  command = plan

  variables {
    size = 1
  }

  assert {
    condition     = length(openstack_networking_port_v2.workers) == 1
    error_message = "workers: there must be 1 member."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[0].name == "worker-0"
    error_message = "workers.0.name must be worker-0, as in Heat."
  }
}

# The group workers has 2 members.
run "workers_of_2" {
  command = plan

  variables {
    size = 2
  }

  assert {
    condition     = length(openstack_networking_port_v2.workers) == 2
    error_message = "workers: there must be 2 members."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[0].name == "worker-0"
    error_message = "workers.0.name must be worker-0, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[1].name == "worker-1"
    error_message = "workers.1.name must be worker-1, as in Heat."
  }
}

# size is the largest allowed.
run "size_largest" {
  command = plan

  variables {
    size = 4
  }

  assert {
    condition     = length(openstack_networking_port_v2.workers) == 4
    error_message = "workers: there must be 4 members."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[0].name == "worker-0"
    error_message = "workers.0.name must be worker-0, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[1].name == "worker-1"
    error_message = "workers.1.name must be worker-1, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[2].name == "worker-2"
    error_message = "workers.2.name must be worker-2, as in Heat."
  }
}

# size must be refused: it is too small.
run "size_too_small" {
  command = plan

  variables {
    size = -1
  }

  expect_failures = [var.size]
}

# size must be refused: it is too large.
run "size_too_large" {
  command = plan

  variables {
    size = 5
  }

  expect_failures = [var.size]
}

# flavor must be refused: it is not allowed.
run "flavor_not_allowed" {
  command = plan

  variables {
    flavor = "not-m1.small"
  }

  expect_failures = [var.flavor]
}

run "as_converted" {
  command = apply

  assert {
    condition     = openstack_networking_network_v2.net.name == "inner"
    error_message = "net.name must be inner, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port.network_id == "net-id"
    error_message = "port.network must be net-id, as in Heat."
  }

  assert {
    condition     = data.openstack_networking_secgroup_v2.default.name == "default"
    error_message = "port.security_groups must be default, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port.security_group_ids == toset(["default-id"])
    error_message = "port.security_groups must be [\"default-id\"], as in Heat."
  }

  assert {
    condition     = length(openstack_networking_floatingip_v2.address) == 0
    error_message = "address: its condition does not hold, so there must be none."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.image_name == "debian"
    error_message = "server.image must be debian, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.flavor_name == "m1.large"
    error_message = "server.flavor must be m1.large, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.admin_pass == "a-password"
    error_message = "server.admin_pass must be a-password, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.network[0].port == "port-id"
    error_message = "server.networks.0.port must be port-id, as in Heat."
  }

  assert {
    condition     = contains(openstack_compute_instance_v2.server.tags, "a-label")
    error_message = "server.tags.0 must be a-label, as in Heat."
  }

  assert {
    condition     = sha256(openstack_compute_instance_v2.server.user_data) == "d71329038f49c0179ed51358413283c8e468b88809db9185b1057af931260ee6"
    error_message = "server.user_data must be what Heat makes it."
  }

  assert {
    condition     = length(openstack_networking_port_v2.workers) == 2
    error_message = "workers: there must be 2 members."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[0].name == "worker-0"
    error_message = "workers.0.name must be worker-0, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[1].name == "worker-1"
    error_message = "workers.1.name must be worker-1, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[0].network_id == "net-id"
    error_message = "workers.0.network must be net-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.workers[1].network_id == "net-id"
    error_message = "workers.1.network must be net-id, as in Heat."
  }

  assert {
    condition     = output.url == "none"
    error_message = "outputs.url must be none, as in Heat."
  }

  assert {
    condition     = jsonencode(output.ports) == jsonencode(["workers-id", "workers-id"])
    error_message = "outputs.ports must be [\"workers-id\", \"workers-id\"], as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server.network) == 1
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_compute_instance_v2.server.network : tostring(item.port)]) == jsonencode(["port-id"])
    error_message = "server.networks.port must be what Heat makes it."
  }

  assert {
    condition     = openstack_networking_port_v2.port.name == "stack-port"
    error_message = "openstack_networking_port_v2.port.name must be stack-port, as converted."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.name == "stack-server"
    error_message = "openstack_compute_instance_v2.server.name must be stack-server, as converted."
  }
}

# The condition is_public holds.
run "with_is_public" {
  command = apply

  variables {
    public = true
  }

  assert {
    condition     = length(openstack_networking_floatingip_v2.address) == 1
    error_message = "address: there must be one, as its condition holds."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.address[0].pool == "outside"
    error_message = "address.floating_network must be outside, as in Heat."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.address[0].port_id == "port-id"
    error_message = "address.port_id must be port-id, as in Heat."
  }

  assert {
    condition     = output.url == "address-address"
    error_message = "outputs.url must be address-address, as in Heat."
  }
}
