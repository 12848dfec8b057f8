# Made by hot2tf from node.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

variables {
  disk    = "disk-result"
  groups  = ["default", "web"]
  network = "private"
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/node"
  }

  assert {
    condition = alltrue([
      openstack_compute_instance_v2.server.name == "node",
      openstack_compute_instance_v2.server.image_name == "cirros",
      openstack_compute_instance_v2.server.flavor_name == "m1.small",
      openstack_compute_instance_v2.server.security_groups == toset(["default", "web"]),
      openstack_compute_instance_v2.server.metadata["disk"] == "disk-result",
      jsonencode([for item in openstack_compute_instance_v2.server.network : tostring(item.name)]) == jsonencode(["private"]),
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
