# Made by hot2tf from member.yaml: hot2tf convert input.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test
# As converted: 3 assertions about what Heat has no value for. They notice changes.

mock_provider "openstack" {}

variables {
  label      = "one"
  network    = "net-id"
  stack_name = "stack-first"
}

override_resource {
  target = openstack_networking_port_v2.port

  values = {
    id = "port-id"
  }
}

# As many values as possible are different.
run "other_values" {
  command = plan

  module {
    source = "./modules/member"
  }

  variables {
    label   = "other-one"
    network = "other-net-id"
  }

  assert {
    condition     = openstack_networking_port_v2.port.network_id == "other-net-id"
    error_message = "port.network must be other-net-id, as in Heat."
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "other-one")
    error_message = "port.tags.0 must be other-one, as in Heat."
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "used")
    error_message = "port.tags.1 must be used, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port.name == "stack-first-port"
    error_message = "openstack_networking_port_v2.port.name must be stack-first-port, as converted."
  }
}

# The condition is_spare holds.
run "with_is_spare" {
  command = plan

  module {
    source = "./modules/member"
  }

  variables {
    spare = true
  }

  assert {
    condition     = openstack_networking_port_v2.port.network_id == "net-id"
    error_message = "port.network must be net-id, as in Heat."
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "one")
    error_message = "port.tags.0 must be one, as in Heat."
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "spare")
    error_message = "port.tags.1 must be spare, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port.name == "stack-first-port"
    error_message = "openstack_networking_port_v2.port.name must be stack-first-port, as converted."
  }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/member"
  }

  assert {
    condition     = openstack_networking_port_v2.port.network_id == "net-id"
    error_message = "port.network must be net-id, as in Heat."
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "one")
    error_message = "port.tags.0 must be one, as in Heat."
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "used")
    error_message = "port.tags.1 must be used, as in Heat."
  }

  assert {
    condition     = output.port == "port-id"
    error_message = "outputs.port must be port-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_port_v2.port.name == "stack-first-port"
    error_message = "openstack_networking_port_v2.port.name must be stack-first-port, as converted."
  }
}
