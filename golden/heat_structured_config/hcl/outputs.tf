# Made by hot2tf from input.yaml

output "config" {
  value = local.settings
}
