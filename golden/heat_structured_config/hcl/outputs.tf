# Converted from input.yaml by hot2tf.

output "config" {
  value = local.settings
}
