output "chain" {
  value = lookup(local.pair, "chain", null)
}
