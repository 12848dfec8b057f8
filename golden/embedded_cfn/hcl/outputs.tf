# Converted from input.yaml by hot2tf.

output "Address" {
  value = lookup(local.server, "Server_PublicIp", null)
}
