# Converted from input.yaml by hot2tf.

output "free" {
  value = lookup(local.host, "prepare_free", null)
}
