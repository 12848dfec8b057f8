# Converted from input.yaml by hot2tf.

output "sum" {
  value = var.size
}
