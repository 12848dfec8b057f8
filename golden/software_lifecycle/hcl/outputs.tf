output "free" {
  value = lookup(local.host, "prepare_free", null)
}
