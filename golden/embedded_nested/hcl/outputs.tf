# Made by hot2tf from input.yaml

output "size" {
  value = tonumber(lookup(local.group, "group_current_size", null))
}

output "names" {
  value = jsondecode(lookup(local.group, "group_outputs_list_name", "[null]"))[0]
}
