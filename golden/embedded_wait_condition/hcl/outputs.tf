output "said" {
  value = lookup(local.server, "ready_data", null)
}
