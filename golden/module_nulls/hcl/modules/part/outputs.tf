# Made by hot2tf from part.yaml

output "all" {
  value = [var.name, var.size, var.shared, var.zones, var.labels]
}
