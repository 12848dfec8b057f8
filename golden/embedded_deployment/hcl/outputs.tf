# Made by hot2tf from input.yaml

output "result" {
  value = lookup(local.server, "deployment_result", null)
}
