# Converted from input.yaml by hot2tf.

output "cidr" {
  description = "Only read here, so it waits for nothing."
  value       = module.infra.cidr
}
