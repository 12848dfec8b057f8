# Made by hot2tf from member.yaml: hot2tf convert input.yaml -e env.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test
# Not tested: 1 that only Heat knows.

mock_provider "openstack" {}

variables {
  address = "10.0.0.0"
  subnet  = "site-subnet-id"
}

override_data {
  target = data.openstack_lb_pool_v2.site

  values = {
    id = "site-id"
  }
}

# As many values as possible are different.
run "other_values" {
  command = plan

  module {
    source = "./modules/member"
  }

  variables {
    address = "10.0.0.1"
    subnet  = "other-site-subnet-id"
  }

  assert {
    condition     = openstack_lb_member_v2.member.pool_id == "site-id"
    error_message = "member.pool must be site-id, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.address == "10.0.0.1"
    error_message = "member.address must be 10.0.0.1, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.protocol_port == 80
    error_message = "member.protocol_port must be 80, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.subnet_id == "other-site-subnet-id"
    error_message = "member.subnet must be other-site-subnet-id, as in Heat."
  }
}

run "as_converted" {
  command = apply

  module {
    source = "./modules/member"
  }

  assert {
    condition     = data.openstack_lb_pool_v2.site.name == "site"
    error_message = "member.pool must be site, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.pool_id == "site-id"
    error_message = "member.pool must be site-id, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.address == "10.0.0.0"
    error_message = "member.address must be 10.0.0.0, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.protocol_port == 80
    error_message = "member.protocol_port must be 80, as in Heat."
  }

  assert {
    condition     = openstack_lb_member_v2.member.subnet_id == "site-subnet-id"
    error_message = "member.subnet must be site-subnet-id, as in Heat."
  }
}
