# Made by hot2tf from input.yaml

output "network" {
  value = module.infra.net_name
}
