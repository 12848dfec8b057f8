# Made by hot2tf from input.yaml

output "sum" {
  value = var.size
}
