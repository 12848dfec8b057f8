# Made by hot2tf from input.yaml

output "Address" {
  value = lookup(local.server, "Server_PublicIp", null)
}
