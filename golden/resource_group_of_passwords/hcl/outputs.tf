output "all" {
  value     = random_password.passwords[*].result
  sensitive = true
}
