output "said" {
  value = lookup(local.handle, "ready_data", null)
}
