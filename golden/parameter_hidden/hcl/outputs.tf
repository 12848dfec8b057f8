# Converted from input.yaml by hot2tf.

output "login" {
  description = "How to log in"
  value       = "admin:${var.password}"
  sensitive   = true
}
