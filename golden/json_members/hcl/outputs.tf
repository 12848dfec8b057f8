# Made by hot2tf: hot2tf convert input.yaml -e env.yaml -o DIR

output "resolver" {
  value = try(var.controller.network.dns[1], "")
}

output "letter" {
  value = substr(var.controller.image, 0, 1)
}

output "role" {
  value = try(var.labels.role, "")
}
