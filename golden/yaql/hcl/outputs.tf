# Made by hot2tf from input.yaml

output "names" {
  value = [for item in var.servers : item.name]
}

output "up" {
  value = jsondecode(lookup(local.outputs, "up", "[null]"))[0]
}

output "biggest" {
  value = max([3, 1, 2]...)
}

output "count" {
  value = length(var.sizes)
}

# HOT583: The result differs from Heat's for some values: a duplicate key fails, where Heat takes the last one.
output "by_name" {
  value = { for item in var.servers : item.name => item.ip }
}

output "is_there" {
  value = contains([for item in var.servers : item.name], "a")
}

output "many" {
  value = local.many ? "more" : "one"
}
