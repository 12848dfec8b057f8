# Converted from input.yaml by hot2tf.

output "said" {
  value = lookup(local.server, "ready_data", null)
}
