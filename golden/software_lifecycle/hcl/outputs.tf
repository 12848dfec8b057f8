output "free" {
  value = local.host["prepare_free"]
}
