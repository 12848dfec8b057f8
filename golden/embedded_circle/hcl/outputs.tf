# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "value" {
  value = lookup(local.first, "second", null)
}
