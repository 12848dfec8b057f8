# Made by hot2tf from input.yaml

# HOT534: Heat's networks of web also have entries by ID, and the floating IPs; these are only the fixed ones.
output "addresses" {
  value = {
    for name in distinct(openstack_compute_instance_v2.web.network[*].name) :
    name => compact(flatten([
      for nic in openstack_compute_instance_v2.web.network :
      [nic.fixed_ip_v4, nic.fixed_ip_v6]
      if nic.name == name
    ]))
  }
}

# HOT534: Heat's networks of server also have entries by ID, and the floating IPs; these are only the fixed ones.
output "private" {
  value = compact(flatten([
    for nic in data.openstack_compute_instance_v2.server.network :
    [nic.fixed_ip_v4, nic.fixed_ip_v6]
    if contains([nic.name, nic.uuid], "private")
  ]))
}

# HOT420: Heat takes first_address of server from the network whose name sorts last; Terraform takes it from the first NIC.
output "first" {
  value = data.openstack_compute_instance_v2.server.access_ip_v4
}

output "uplink" {
  value = try(data.openstack_networking_port_v2.uplink.all_fixed_ips[0], null)
}

output "entrance" {
  value = data.openstack_networking_floatingip_v2.entrance.address
}

# HOT565: Terraform has no equivalent of the attribute console_urls of web: the provider does not read console URLs; this is null.
output "console" {
  value = null
}

# HOT565: Terraform does not read the attribute show of server; this is null.
output "everything" {
  value = null
}

# a text that cannot be written without Heat
# HOT565: Terraform does not have the API object of web; this is null.
output "text" {
  value = null
}
