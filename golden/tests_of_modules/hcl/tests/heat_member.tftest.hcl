# Made by hot2tf from member.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

variables {
  label      = "one"
  network    = "net-id"
  stack_name = "stack-first"
}

override_resource {
  target = openstack_networking_port_v2.port
  values = { id = "port-id" }
}

run "with_is_spare" {
  command = plan

  module {
    source = "./modules/member"
  }

  variables {
    spare = true
  }

  assert {
    condition     = contains(openstack_networking_port_v2.port.tags, "spare")
    error_message = "port.tags.1 must be spare, as in Heat."
  }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/member"
  }

  assert {
    condition = alltrue([
      openstack_networking_port_v2.port.network_id == "net-id",
      contains(openstack_networking_port_v2.port.tags, "one"),
      contains(openstack_networking_port_v2.port.tags, "used"),
      output.port == "port-id",
      openstack_networking_port_v2.port.name == "stack-first-port",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
