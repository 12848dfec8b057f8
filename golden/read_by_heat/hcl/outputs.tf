output "networks" {
  value = jsondecode(lookup(local.web_attributes, "web_attributes_networks", "[null]"))[0]
}

output "disk" {
  value = "disk: ${lookup(local.disk_attributes, "disk_attributes_status", "")}"
}

output "spare" {
  value = (local.standby
    ? upper(coalesce(openstack_compute_instance_v2.spare[0].power_state, "active"))
    : null
  )
}
