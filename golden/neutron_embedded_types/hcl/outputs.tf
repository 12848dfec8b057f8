# Converted from input.yaml by hot2tf.

output "chain" {
  value = lookup(local.pair, "chain", null)
}
