output "Address" {
  value = local.server["Server_PublicIp"]
}
