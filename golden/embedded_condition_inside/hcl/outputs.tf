output "url" {
  value = local.wanted ? local.always["sometimes_href"] : null
}

output "other" {
  value = local.always["always_queue_id"]
}
