# Made by hot2tf from input.yaml

output "value" {
  value = lookup(local.first, "second", null)
}
