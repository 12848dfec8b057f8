# Made by hot2tf from input.yaml

output "secret" {
  value     = random_password.short.result
  sensitive = true
}
