output "secret" {
  value     = random_password.short.result
  sensitive = true
}
