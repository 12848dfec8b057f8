# Made by hot2tf from input.yaml

output "ports" {
  value = [module.first.port, module.second.port]
}
