output "Address" {
  value = lookup(local.server, "Server_PublicIp", null)
}
