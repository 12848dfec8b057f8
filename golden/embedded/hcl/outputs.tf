output "objects" {
  value = tonumber(local.store_attributes["store_attributes_ObjectCount"])
}

output "queue" {
  value = local.queue["queue_queue_id"]
}
