# Converted from input.yaml by hot2tf.

output "zone" {
  value = lookup(local.password, "till_zone", null)
}
