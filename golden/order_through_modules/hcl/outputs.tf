# Made by hot2tf from input.yaml

output "cidr" {
  description = "Only read here, so it waits for nothing."
  value       = module.infra.cidr
}
