# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "free" {
  value = lookup(local.host, "prepare_free", null)
}
