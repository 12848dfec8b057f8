# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "chain" {
  value = lookup(local.pair, "chain", null)
}
