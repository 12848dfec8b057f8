# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "result" {
  value = lookup(local.server, "deployment_result", null)
}
