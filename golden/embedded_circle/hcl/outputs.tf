# Converted from input.yaml by hot2tf.

output "value" {
  value = lookup(local.first, "second", null)
}
