# Made by hot2tf from input.yaml

output "size" {
  value = tonumber(lookup(local.group, "group_current_size", null))
}

output "refs" {
  value = jsondecode(lookup(local.group, "group_refs_map", "[null]"))[0]
}

output "url" {
  value = lookup(local.group, "up_signal_url", null)
}
