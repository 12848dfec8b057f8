# Converted from server.yaml by hot2tf.

output "login" {
  value = module.inner.text
}
