# Converted from input.yaml by hot2tf.

output "result" {
  value = lookup(local.server, "deployment_result", null)
}
