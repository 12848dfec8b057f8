# Made by hot2tf from member.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

variables {
  address = "10.0.0.0"
  subnet  = "site-subnet-id"
}

override_data {
  target = data.openstack_lb_pool_v2.site
  values = { id = "site-id" }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/member"
  }

  assert {
    condition = alltrue([
      data.openstack_lb_pool_v2.site.name == "site",
      openstack_lb_member_v2.member.pool_id == "site-id",
      openstack_lb_member_v2.member.address == "10.0.0.0",
      openstack_lb_member_v2.member.protocol_port == 80,
      openstack_lb_member_v2.member.subnet_id == "site-subnet-id",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
