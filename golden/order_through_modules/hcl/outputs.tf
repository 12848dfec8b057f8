# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "cidr" {
  description = "Only read here, so it waits for nothing."
  value       = module.infra.cidr
}
