output "config" {
  value = local.settings
}
