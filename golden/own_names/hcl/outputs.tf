# Converted from input.yaml by hot2tf.

output "network" {
  value = module.infra.net_name
}
