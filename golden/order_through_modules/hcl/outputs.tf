output "cidr" {
  description = "Only read here, so it waits for nothing."
  value       = module.infra.cidr
}
