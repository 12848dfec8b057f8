# Made by hot2tf: hot2tf convert input.yaml --tests -o DIR

output "ports" {
  value = [module.first.port, module.second.port]
}
