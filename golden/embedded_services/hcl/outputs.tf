output "queue" {
  value = lookup(local.queue, "queue_href", null)
}

output "container" {
  value = try(jsondecode(lookup(local.container, "container_addresses", null)), null)
}
