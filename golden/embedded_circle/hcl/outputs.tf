output "value" {
  value = lookup(local.first, "second_output", null)
}
