output "said" {
  value = local.server["ready_data"]
}
