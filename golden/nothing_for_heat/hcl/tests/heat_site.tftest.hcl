# Made by hot2tf from site.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

variables {
  router = "router-id"
}

override_resource {
  target = openstack_networking_network_v2.net
  values = { id = "net-id" }
}

override_resource {
  target = openstack_networking_subnet_v2.subnet
  values = { id = "subnet-id" }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/site"
  }

  assert {
    condition = alltrue([
      openstack_networking_network_v2.net.name == "site",
      openstack_networking_subnet_v2.subnet.name == "site",
      openstack_networking_subnet_v2.subnet.network_id == "net-id",
      openstack_networking_subnet_v2.subnet.cidr == "10.0.0.0/24",
      openstack_networking_router_interface_v2.interface.router_id == "router-id",
      openstack_networking_router_interface_v2.interface.subnet_id == "subnet-id",
      output.net == "net-id",
      output.subnet == "subnet-id",
      output.interface == "router-id:subnet_id=subnet-id",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
