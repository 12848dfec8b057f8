# Made by hot2tf from input.yaml

output "free" {
  value = lookup(local.host, "prepare_free", null)
}
