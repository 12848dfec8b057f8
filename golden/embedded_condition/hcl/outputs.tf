output "url" {
  value = local.wanted ? local.queue["queue_href"] : null
}
