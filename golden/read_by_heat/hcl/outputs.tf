# Made by hot2tf from input.yaml

output "networks" {
  value = jsondecode(lookup(local.web_attributes, "web_attributes_networks", "[null]"))[0]
}

output "disk" {
  value = "disk: ${lookup(local.disk_attributes, "disk_attributes_status", "")}"
}

output "spare" {
  value = (local.standby
    ? lookup(local.spare_attributes, "spare_attributes_console_urls_novnc", null)
    : null
  )
}
