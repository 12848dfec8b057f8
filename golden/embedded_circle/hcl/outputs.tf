output "value" {
  value = local.first["second"]
}
