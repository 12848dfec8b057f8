# Made by hot2tf from input.yaml

output "resolver" {
  value = try(var.controller.network.dns[1], "")
}

output "letter" {
  value = substr(var.controller.image, 0, 1)
}

output "role" {
  value = try(var.labels.role, "")
}
