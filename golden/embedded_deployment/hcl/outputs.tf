output "result" {
  value = lookup(local.server, "deployment_result", null)
}
