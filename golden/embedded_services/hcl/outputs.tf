# Made by hot2tf from input.yaml

output "queue" {
  value = lookup(local.queue, "queue_href", null)
}

output "container" {
  value = jsondecode(lookup(local.container, "container_addresses", "[null]"))[0]
}
