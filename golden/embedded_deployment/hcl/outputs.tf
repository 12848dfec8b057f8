output "result" {
  value = local.server["deployment_result"]
}
