# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "login" {
  description = "How to log in"
  value       = "admin:${var.password}"
  sensitive   = true
}
