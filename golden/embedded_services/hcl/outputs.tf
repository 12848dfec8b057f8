# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "queue" {
  value = lookup(local.queue, "queue_href", null)
}

output "container" {
  value = jsondecode(lookup(local.container, "container_addresses", "[null]"))[0]
}
