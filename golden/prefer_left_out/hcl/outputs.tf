# Converted from input.yaml by hot2tf.

# HOT589: restart exists only in Heat and is left out; this is null.
output "workflow" {
  value = null
}
