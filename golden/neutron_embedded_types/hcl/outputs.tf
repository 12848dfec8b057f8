output "chain" {
  value = local.pair["chain"]
}
