# Converted from input.yaml by hot2tf.

output "secret" {
  value     = module.web.login
  sensitive = true
}

output "random" {
  value = module.random.value
}
