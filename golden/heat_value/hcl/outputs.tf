# Made by hot2tf from input.yaml

output "number" {
  value = local.number
}

output "list" {
  value = local.list
}

output "inner" {
  value = try(local.map.a.b[1], null)
}

output "plain" {
  value = local.plain
}

output "maybe" {
  value = local.is_on ? local.maybe : null
}

output "nothing" {
  value = null
}
