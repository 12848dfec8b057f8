# Made by hot2tf: hot2tf convert input.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test

mock_provider "openstack" {}

variables {
  stack_name = "stack"
}

override_resource {
  target = openstack_networking_network_v2.net

  values = {
    id = "net-id"
  }
}

override_resource {
  target = module.first.openstack_networking_port_v2.port

  values = {
    id = "first-port-id"
  }
}

override_resource {
  target = module.second.openstack_networking_port_v2.port

  values = {
    id = "second-port-id"
  }
}

run "as_converted" {
  command = apply

  assert {
    condition     = openstack_networking_network_v2.net.name == "inner"
    error_message = "net.name must be inner, as in Heat."
  }

  assert {
    condition     = jsonencode(output.ports) == jsonencode(["first-port-id", "second-port-id"])
    error_message = "outputs.ports must be [\"first-port-id\", \"second-port-id\"], as in Heat."
  }

  assert {
    condition     = module.first.port == "first-port-id"
    error_message = "first.outputs.port must be first-port-id, as in Heat."
  }

  assert {
    condition     = module.second.port == "second-port-id"
    error_message = "second.outputs.port must be second-port-id, as in Heat."
  }
}
