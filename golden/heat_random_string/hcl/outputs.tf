# Converted from input.yaml by hot2tf.

output "secret" {
  value     = random_password.short.result
  sensitive = true
}
