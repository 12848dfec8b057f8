# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "secret" {
  value     = random_password.short.result
  sensitive = true
}
