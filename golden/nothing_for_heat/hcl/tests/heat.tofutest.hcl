# Made by hot2tf from input.yaml
# Heat's values for the template, as assertions. No cloud is needed: terraform init && terraform test

mock_provider "openstack" {}

mock_provider "random" {}

override_resource {
  target = openstack_compute_instance_v2.server
  values = { id = "server-id" }
}

override_resource {
  target = openstack_networking_secgroup_v2.web
  values = { id = "web-id" }
}

override_resource {
  target = module.site.openstack_networking_network_v2.net
  values = { id = "site-net-id" }
}

override_data {
  target = data.openstack_networking_port_v2.server_port
  values = { id = "server_port-id" }
}

override_resource {
  target = openstack_networking_router_v2.router
  values = { id = "router-id" }
}

override_resource {
  target = module.site.openstack_networking_subnet_v2.subnet
  values = { id = "site-subnet-id" }
}

override_data {
  target = module.members.data.openstack_lb_pool_v2.site
  values = { id = "members-site-id" }
}

override_resource {
  target = random_uuid.disk
  values = { result = "disk-result" }
}

override_resource {
  target = random_uuid.monitor
  values = { result = "monitor-result" }
}

override_data {
  target = data.openstack_networking_router_v2.gateway
  values = { external_network_id = "gateway-external_network_id" }
}

run "as_converted" {
  command = apply

  assert {
    condition = alltrue([
      openstack_networking_router_v2.router.name == "site",
      length(module.members) == 2,
      length(random_uuid.monitor) == 1,
      openstack_networking_secgroup_v2.web.name == "web",
      openstack_networking_secgroup_rule_v2.web_icmp_8.protocol == "icmp",
      openstack_networking_secgroup_rule_v2.web_icmp_8.port_range_min == 8,
      openstack_networking_secgroup_rule_v2.web_icmp_8.port_range_max == 0,
      length(openstack_compute_instance_v2.server) == 1,
      openstack_compute_instance_v2.server[0].name == "web",
      openstack_compute_instance_v2.server[0].image_name == "cirros",
      openstack_compute_instance_v2.server[0].flavor_name == "m1.small",
      openstack_compute_instance_v2.server[0].network[0].name == "private",
      openstack_compute_instance_v2.server[0].network[1].uuid == "site-net-id",
      length(openstack_networking_floatingip_v2.address) == 1,
      openstack_networking_floatingip_v2.address[0].pool == "public",
      output.disk == "disk-result",
      output.monitor == "monitor-result",
      output.interface == "router-id:subnet_id=site-subnet-id",
      output.outside == "gateway-external_network_id",
      module.site.net == "site-net-id",
      module.site.subnet == "site-subnet-id",
      module.site.interface == "router-id:subnet_id=site-subnet-id",
      openstack_networking_secgroup_rule_v2.web_icmp_8.security_group_id == "web-id",
      length(openstack_compute_instance_v2.server[0].network) == 2,
      length(data.openstack_networking_port_v2.server_port) == 1,
      data.openstack_networking_port_v2.server_port[0].device_id == "server-id",
      data.openstack_networking_subnet_v2.existing.subnet_id == "8f1f0f0e-6a43-4d7c-9a54-6d7f2c1f8b11",
      data.openstack_networking_router_v2.gateway.router_id == "5d2a8a1c-0f2e-4f4b-9b43-0b4c3e0a1d10",
      openstack_networking_secgroup_rule_v2.web_icmp_8.direction == "ingress",
      openstack_networking_secgroup_rule_v2.web_icmp_8.ethertype == "IPv4",
      openstack_networking_floatingip_v2.address[0].port_id == "server_port-id",
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}

run "without_monitored" {
  command = apply

  variables {
    monitored = false
  }

  assert {
    condition = alltrue([
      length(random_uuid.monitor) == 0,
      length(openstack_compute_instance_v2.server) == 0,
      length(openstack_networking_floatingip_v2.address) == 0,
      length(data.openstack_networking_port_v2.server_port) == 0,
    ])

    error_message = "Each value must be the one that Heat computes from the template."
  }
}
