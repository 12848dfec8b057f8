# Made by hot2tf from input.yaml

output "login" {
  description = "How to log in"
  value       = "admin:${var.password}"
  sensitive   = true
}
