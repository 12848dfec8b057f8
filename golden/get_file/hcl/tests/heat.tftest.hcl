# Made by hot2tf from input.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

run "as_converted" {
  command = apply

  assert {
    condition = alltrue([
      openstack_compute_instance_v2.server.name == "web",
      openstack_compute_instance_v2.server.image_name == "cirros",
      openstack_compute_instance_v2.server.flavor_name == "m1.tiny",
      sha256(openstack_compute_instance_v2.server.user_data) == "7731d31feac1f46fe1d55e6e2c6e71118dbc9308e4afc6ab972e2e0c5a1143b9",
      openstack_compute_instance_v2.other.name == "other",
      openstack_compute_instance_v2.other.image_name == "cirros",
      openstack_compute_instance_v2.other.flavor_name == "m1.tiny",
      sha256(openstack_compute_instance_v2.other.user_data) == "160cc5afcfd54abb7c26228591cdf019bd4746fd2ee0f2f98917d1f7b81369d2",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
