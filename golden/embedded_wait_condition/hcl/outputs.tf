# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "said" {
  value = lookup(local.server, "ready_data", null)
}
