# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "Address" {
  value = lookup(local.server, "Server_PublicIp", null)
}
