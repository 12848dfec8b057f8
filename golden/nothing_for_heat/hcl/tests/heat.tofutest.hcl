# Made by hot2tf: hot2tf convert input.yaml -e env.yaml --tests -o DIR

# What Heat makes of the template, as tests of what Terraform makes of it. They need
# no cloud and no credentials: terraform init && terraform test
# As converted: 11 assertions about what Heat has no value for. They notice changes.
# Not tested: 6 that only Heat knows.

mock_provider "openstack" {}

mock_provider "random" {}

override_resource {
  target = openstack_compute_instance_v2.server

  values = {
    id = "server-id"
  }
}

override_resource {
  target = openstack_networking_secgroup_v2.web

  values = {
    id = "web-id"
  }
}

override_resource {
  target = module.site.openstack_networking_network_v2.net

  values = {
    id = "site-net-id"
  }
}

override_data {
  target = data.openstack_networking_port_v2.server_port

  values = {
    id = "server_port-id"
  }
}

override_resource {
  target = openstack_networking_router_v2.router

  values = {
    id = "router-id"
  }
}

override_resource {
  target = module.site.openstack_networking_subnet_v2.subnet

  values = {
    id = "site-subnet-id"
  }
}

override_data {
  target = module.members.data.openstack_lb_pool_v2.site

  values = {
    id = "members-site-id"
  }
}

override_resource {
  target = random_uuid.disk

  values = {
    result = "disk-result"
  }
}

override_resource {
  target = random_uuid.monitor

  values = {
    result = "monitor-result"
  }
}

override_data {
  target = data.openstack_networking_router_v2.gateway

  values = {
    external_network_id = "gateway-external_network_id"
  }
}

run "as_converted" {
  command = apply

  assert {
    condition     = openstack_networking_router_v2.router.name == "site"
    error_message = "router.name must be site, as in Heat."
  }

  assert {
    condition     = length(module.members) == 2
    error_message = "members: there must be 2 members."
  }

  assert {
    condition     = length(random_uuid.monitor) == 1
    error_message = "monitor: there must be one, as its condition holds."
  }

  assert {
    condition     = openstack_networking_secgroup_v2.web.name == "web"
    error_message = "web.name must be web, as in Heat."
  }

  assert {
    condition     = openstack_networking_secgroup_rule_v2.web_icmp_8.protocol == "icmp"
    error_message = "web.rules.0.protocol must be icmp, as in Heat."
  }

  assert {
    condition     = openstack_networking_secgroup_rule_v2.web_icmp_8.port_range_min == 8
    error_message = "web.rules.0.port_range_min must be 8, as in Heat."
  }

  assert {
    condition     = openstack_networking_secgroup_rule_v2.web_icmp_8.port_range_max == 0
    error_message = "web.rules.0.port_range_max must be 0, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server) == 1
    error_message = "server: there must be one, as its condition holds."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].name == "web"
    error_message = "server.name must be web, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].image_name == "cirros"
    error_message = "server.image must be cirros, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].flavor_name == "m1.small"
    error_message = "server.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].network[0].name == "private"
    error_message = "server.networks.0.network must be private, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].network[1].uuid == "site-net-id"
    error_message = "server.networks.1.network must be site-net-id, as in Heat."
  }

  assert {
    condition     = length(openstack_networking_floatingip_v2.address) == 1
    error_message = "address: there must be one, as its condition holds."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.address[0].pool == "public"
    error_message = "address.floating_network must be public, as in Heat."
  }

  assert {
    condition     = output.disk == "disk-result"
    error_message = "outputs.disk must be disk-result, as in Heat."
  }

  assert {
    condition     = output.monitor == "monitor-result"
    error_message = "outputs.monitor must be monitor-result, as in Heat."
  }

  assert {
    condition     = output.interface == "router-id:subnet_id=site-subnet-id"
    error_message = "outputs.interface must be router-id:subnet_id=site-subnet-id, as in Heat."
  }

  assert {
    condition     = output.outside == "gateway-external_network_id"
    error_message = "outputs.outside must be gateway-external_network_id, as in Heat."
  }

  assert {
    condition     = module.site.net == "site-net-id"
    error_message = "site.outputs.net must be site-net-id, as in Heat."
  }

  assert {
    condition     = module.site.subnet == "site-subnet-id"
    error_message = "site.outputs.subnet must be site-subnet-id, as in Heat."
  }

  assert {
    condition     = module.site.interface == "router-id:subnet_id=site-subnet-id"
    error_message = "site.outputs.interface must be router-id:subnet_id=site-subnet-id, as in Heat."
  }

  assert {
    condition     = openstack_networking_secgroup_rule_v2.web_icmp_8.security_group_id == "web-id"
    error_message = "web (web_icmp_8.security_group_id) must be web-id, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server[0].network) == 2
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = length(data.openstack_networking_port_v2.server_port) == 1
    error_message = "length(data.openstack_networking_port_v2.server_port) must be 1, as converted."
  }

  assert {
    condition     = data.openstack_networking_port_v2.server_port[0].device_id == "server-id"
    error_message = "data.openstack_networking_port_v2.server_port[0].device_id must be server-id, as converted."
  }

  assert {
    condition     = data.openstack_networking_subnet_v2.existing.subnet_id == "8f1f0f0e-6a43-4d7c-9a54-6d7f2c1f8b11"
    error_message = "data.openstack_networking_subnet_v2.existing.subnet_id must be 8f1f0f0e-6a43-4d7c-9a54-6d7f2c1f8b11, as converted."
  }

  assert {
    condition     = data.openstack_networking_router_v2.gateway.router_id == "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10"
    error_message = "data.openstack_networking_router_v2.gateway.router_id must be 5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10, as converted."
  }

  assert {
    condition     = openstack_networking_secgroup_rule_v2.web_icmp_8.direction == "ingress"
    error_message = "openstack_networking_secgroup_rule_v2.web_icmp_8.direction must be ingress, as converted."
  }

  assert {
    condition     = openstack_networking_secgroup_rule_v2.web_icmp_8.ethertype == "IPv4"
    error_message = "openstack_networking_secgroup_rule_v2.web_icmp_8.ethertype must be IPv4, as converted."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.address[0].port_id == "server_port-id"
    error_message = "openstack_networking_floatingip_v2.address[0].port_id must be server_port-id, as converted."
  }
}

# As many values as possible are different.
run "other_values" {
  command = apply

  variables {
    network = "other-private"
    public  = "other-public"
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server) == 1
    error_message = "server: there must be one, as its condition holds."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].name == "web"
    error_message = "server.name must be web, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].image_name == "cirros"
    error_message = "server.image must be cirros, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].flavor_name == "m1.small"
    error_message = "server.flavor must be m1.small, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].network[0].name == "other-private"
    error_message = "server.networks.0.network must be other-private, as in Heat."
  }

  assert {
    condition     = openstack_compute_instance_v2.server[0].network[1].uuid == "site-net-id"
    error_message = "server.networks.1.network must be site-net-id, as in Heat."
  }

  assert {
    condition     = length(openstack_networking_floatingip_v2.address) == 1
    error_message = "address: there must be one, as its condition holds."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.address[0].pool == "other-public"
    error_message = "address.floating_network must be other-public, as in Heat."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server[0].network) == 2
    error_message = "server.networks must be what Heat makes it."
  }

  assert {
    condition     = length(data.openstack_networking_port_v2.server_port) == 1
    error_message = "length(data.openstack_networking_port_v2.server_port) must be 1, as converted."
  }

  assert {
    condition     = data.openstack_networking_port_v2.server_port[0].device_id == "server-id"
    error_message = "data.openstack_networking_port_v2.server_port[0].device_id must be server-id, as converted."
  }

  assert {
    condition     = openstack_networking_floatingip_v2.address[0].port_id == "server_port-id"
    error_message = "openstack_networking_floatingip_v2.address[0].port_id must be server_port-id, as converted."
  }
}

# The condition monitored does not hold.
run "without_monitored" {
  command = apply

  variables {
    monitored = false
  }

  assert {
    condition     = length(random_uuid.monitor) == 0
    error_message = "monitor: its condition does not hold, so there must be none."
  }

  assert {
    condition     = length(openstack_compute_instance_v2.server) == 0
    error_message = "server: its condition does not hold, so there must be none."
  }

  assert {
    condition     = length(openstack_networking_floatingip_v2.address) == 0
    error_message = "address: its condition does not hold, so there must be none."
  }

  assert {
    condition     = length(data.openstack_networking_port_v2.server_port) == 0
    error_message = "length(data.openstack_networking_port_v2.server_port) must be 0, as converted."
  }
}
