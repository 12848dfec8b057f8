output "network" {
  value = module.infra.net_name
}
