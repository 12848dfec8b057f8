# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "url" {
  value = local.wanted ? lookup(local.queue, "queue_href", null) : null
}
