output "size" {
  value = tonumber(local.group["group_current_size"])
}

output "refs" {
  value = jsondecode(local.group["group_refs_map"])[0]
}

output "url" {
  value = local.group["up_signal_url"]
}
