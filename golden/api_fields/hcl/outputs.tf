# Made by hot2tf from input.yaml

output "prefix" {
  value = openstack_networking_secgroup_rule_v2.rule.remote_ip_prefix
}

output "port" {
  value = openstack_networking_secgroup_rule_v2.rule.port_range_min
}

# only Heat knows it, because the template does not set it
output "remote_group" {
  value = jsondecode(lookup(local.rule_attributes, "rule_attributes_show_remote_group_id", "[null]"))[0]
}

output "status" {
  value = upper(coalesce(openstack_compute_instance_v2.server.power_state, "active"))
}

output "addresses" {
  value = [
    {
      subnet_id  = openstack_networking_subnet_v2.subnet.id
      ip_address = openstack_networking_port_v2.free.all_fixed_ips[0]
    },
  ]
}

output "address" {
  value = {
    subnet_id  = openstack_networking_port_v2.fixed.fixed_ip[0].subnet_id
    ip_address = openstack_networking_port_v2.fixed.all_fixed_ips[0]
  }
}

output "subnet" {
  value = openstack_networking_subnet_v2.subnet.id
}

output "range" {
  value = openstack_networking_subnet_v2.subnet.cidr
}

output "on_inner" {
  value = openstack_networking_port_v2.free.all_fixed_ips[0]
}

output "on_public" {
  value = openstack_compute_instance_v2.server.network[1].fixed_ip_v4
}
