# Made by hot2tf from site.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test

mock_provider "openstack" {}

variables {
  router = "router-id"
}

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

# As many values as possible are different.
run "other_values" {
  command = plan

  module {
    source = "./modules/site"
  }

  variables {
    router = "other-router-id"
  }

  assert {
    condition     = openstack_networking_router_interface_v2.interface.router_id == "other-router-id"
    error_message = "interface.router must be other-router-id, as in Heat."
  }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/site"
  }

  assert {
    condition     = openstack_networking_network_v2.net.name == "site"
    error_message = "net.name must be site, as in Heat."
  }

  assert {
    condition     = openstack_networking_subnet_v2.subnet.name == "site"
    error_message = "subnet.name must be site, as in Heat."
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
    condition     = openstack_networking_router_interface_v2.interface.router_id == "router-id"
    error_message = "interface.router must be router-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_router_interface_v2.interface.subnet_id == "subnet-id"
    error_message = "interface.subnet must be subnet-id, as in Heat."
  }

  assert {
    condition     = output.net == "net-id"
    error_message = "outputs.net must be net-id, as in Heat."
  }

  assert {
    condition     = output.subnet == "subnet-id"
    error_message = "outputs.subnet must be subnet-id, as in Heat."
  }

  assert {
    condition     = output.interface == "router-id:subnet_id=subnet-id"
    error_message = "outputs.interface must be router-id:subnet_id=subnet-id, as in Heat."
  }
}
