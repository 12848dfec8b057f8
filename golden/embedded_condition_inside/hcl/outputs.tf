# Made by hot2tf from input.yaml

output "url" {
  value = local.wanted ? lookup(local.always, "sometimes_href", null) : null
}

output "other" {
  value = lookup(local.always, "always_queue_id", null)
}
