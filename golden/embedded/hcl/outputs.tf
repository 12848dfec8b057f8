# Made by hot2tf from input.yaml

output "objects" {
  value = tonumber(lookup(local.store_attributes, "store_attributes_ObjectCount", null))
}

output "queue" {
  value = lookup(local.queue, "queue_queue_id", null)
}
