# Made by hot2tf from maybe.yaml

output "text" {
  value = local.found ? try(local.value.text, null) : null
}

output "number" {
  value = local.found ? try(local.value.number, null) : null
}

output "list" {
  value = local.found ? try(local.value.list, null) : null
}

output "map" {
  value = try(local.value[local.found ? "map" : "nothing"], null)
}
