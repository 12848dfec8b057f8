# Converted from part.yaml by hot2tf.

output "all" {
  value = [var.name, var.size, var.shared, var.zones, var.labels]
}
