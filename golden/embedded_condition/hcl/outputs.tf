# Converted from input.yaml by hot2tf.

output "url" {
  value = local.wanted ? lookup(local.queue, "queue_href", null) : null
}
