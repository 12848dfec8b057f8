# Made by hot2tf from input.yaml

output "address" {
  value = module.web.address
}
