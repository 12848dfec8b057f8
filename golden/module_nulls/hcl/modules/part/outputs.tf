# Made by hot2tf from part.yaml: hot2tf convert input.yaml -o DIR

output "all" {
  value = [var.name, var.size, var.shared, var.zones, var.labels]
}
