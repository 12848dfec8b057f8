# Made by hot2tf from input.yaml

output "chain" {
  value = lookup(local.pair, "chain", null)
}
