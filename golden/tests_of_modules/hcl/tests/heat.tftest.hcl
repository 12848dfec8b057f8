# Made by hot2tf from input.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

variables {
  stack_name = "stack"
}

override_resource {
  target = openstack_networking_network_v2.net
  values = { id = "net-id" }
}

override_resource {
  target = module.first.openstack_networking_port_v2.port
  values = { id = "first-port-id" }
}

override_resource {
  target = module.second.openstack_networking_port_v2.port
  values = { id = "second-port-id" }
}

run "as_converted" {
  command = apply

  assert {
    condition = alltrue([
      openstack_networking_network_v2.net.name == "inner",
      jsonencode(output.ports) == jsonencode(["first-port-id", "second-port-id"]),
      module.first.port == "first-port-id",
      module.second.port == "second-port-id",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
