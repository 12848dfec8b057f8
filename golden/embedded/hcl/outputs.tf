output "objects" {
  value = tonumber(lookup(local.store, "store_ObjectCount", null))
}

output "queue" {
  value = lookup(local.queue, "queue_queue_id", null)
}
