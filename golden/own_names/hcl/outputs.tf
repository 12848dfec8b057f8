# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "network" {
  value = module.infra.net_name
}
