# Made by hot2tf from input.yaml

output "url" {
  value = local.wanted ? lookup(local.queue, "queue_href", null) : null
}
