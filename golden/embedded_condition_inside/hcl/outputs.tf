# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "url" {
  value = local.wanted ? lookup(local.always, "sometimes_href", null) : null
}

output "other" {
  value = lookup(local.always, "always_queue_id", null)
}
