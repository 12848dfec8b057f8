# Converted from input.yaml by hot2tf.

# HOT513: Only Heat receives the results of install; this is null.
output "version" {
  value = null
}
