output "size" {
  value = tonumber(local.group["group_current_size"])
}

output "names" {
  value = jsondecode(local.group["group_outputs_list_name"])[0]
}
