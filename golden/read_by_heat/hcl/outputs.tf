output "networks" {
  value = try(jsondecode(lookup(local.web_attributes, "web_attributes_networks", null)), null)
}

output "disk" {
  value = "disk: ${lookup(local.disk_attributes, "disk_attributes_status", "")}"
}

output "spare" {
  value = (local.standby
    ? try(jsondecode(lookup(local.spare_attributes, "spare_attributes_show_status", null))[0], null)
    : null
  )
}
