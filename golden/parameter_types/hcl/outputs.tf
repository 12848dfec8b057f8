# Made by hot2tf from input.yaml

output "label" {
  value = var.label
}

output "size" {
  value = var.size
}

output "level" {
  value = try(var.extra.level, "")
}

output "second" {
  value = try(var.tags[1], "")
}

output "missing" {
  value = try(var.extra.nowhere, "")
}

output "all" {
  value = var.extra
}

output "nothing" {
  value = var.empty_list
}
