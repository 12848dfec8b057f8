output "networks" {
  value = jsondecode(local.web_attributes["web_attributes_networks"])[0]
}

output "disk" {
  value = "disk: ${local.disk_attributes["disk_attributes_status"]}"
}

output "spare" {
  value = local.standby ? upper(openstack_compute_instance_v2.spare[0].power_state) : null
}
