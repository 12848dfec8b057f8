# Made by hot2tf: hot2tf convert input.yaml -e env.yaml -o DIR

output "size" {
  value = tonumber(lookup(local.group, "group_current_size", null))
}

output "names" {
  value = jsondecode(lookup(local.group, "group_outputs_list_name", "[null]"))[0]
}
