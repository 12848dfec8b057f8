output "queue" {
  value = local.queue["queue_href"]
}

output "container" {
  value = jsondecode(local.container["container_addresses"])[0]
}
