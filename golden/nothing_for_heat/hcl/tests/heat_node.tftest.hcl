# Made by hot2tf from node.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test
# Not tested: 1 that only Heat knows.

mock_provider "openstack" {}

variables {
  disk    = "disk-result"
  groups  = ["default", "web"]
  network = "private"
}

# As many values as possible are different.
run "other_values" {
  command = plan

  module {
    source = "./modules/node"
  }

  variables {
    disk    = "other-disk-result"
    groups  = ["other-default", "other-web"]
    network = "other-private"
  }

  assert {
    condition     = openstack_compute_instance_v2.server.name == "node"
    error_message = "server.name must be node, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.image_name == "cirros"
    error_message = "server.image must be cirros, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.flavor_name == "m1.small"
    error_message = "server.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.security_groups == toset(["other-default", "other-web"])
    error_message = "server.security_groups must be [\"other-default\", \"other-web\"], as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.network[0].name == "other-private"
    error_message = "server.networks.0.network must be other-private, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.metadata["disk"] == "other-disk-result"
    error_message = "server.metadata.disk must be other-disk-result, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server.network) == 1
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_compute_instance_v2.server.network : tostring(item.name)]) == jsonencode(["other-private"])
    error_message = "server.networks.name must be what Heat makes it."
  }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/node"
  }

  assert {
    condition     = openstack_compute_instance_v2.server.name == "node"
    error_message = "server.name must be node, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.image_name == "cirros"
    error_message = "server.image must be cirros, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.flavor_name == "m1.small"
    error_message = "server.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.security_groups == toset(["default", "web"])
    error_message = "server.security_groups must be [\"default\", \"web\"], as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.network[0].name == "private"
    error_message = "server.networks.0.network must be private, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server.metadata["disk"] == "disk-result"
    error_message = "server.metadata.disk must be disk-result, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server.network) == 1
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = jsonencode([for item in openstack_compute_instance_v2.server.network : tostring(item.name)]) == jsonencode(["private"])
    error_message = "server.networks.name must be what Heat makes it."
  }
}
