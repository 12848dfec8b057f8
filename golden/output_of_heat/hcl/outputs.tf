output "sorted" {
  value = try(jsondecode(lookup(local.outputs, "sorted", null))[0], null)
}

output "grouped" {
  value = try(jsondecode(lookup(local.outputs, "grouped", null))[0], null)
}

output "show" {
  value = try(jsondecode(lookup(local.net, "net_show", null)), null)
}

output "plain" {
  value = lookup(local.net, "net", null)
}
