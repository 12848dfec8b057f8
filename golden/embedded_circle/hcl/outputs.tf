output "value" {
  value = lookup(local.first, "second", null)
}
