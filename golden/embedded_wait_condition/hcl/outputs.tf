# Made by hot2tf from input.yaml

output "said" {
  value = lookup(local.server, "ready_data", null)
}
