output "result" {
  value = lookup(local.config, "deployment_result", null)
}
