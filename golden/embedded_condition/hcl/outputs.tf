output "url" {
  value = local.wanted ? lookup(local.queue, "queue_href", null) : null
}
