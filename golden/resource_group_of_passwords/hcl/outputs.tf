# Converted from input.yaml by hot2tf.

output "all" {
  value     = random_password.passwords[*].result
  sensitive = true
}
