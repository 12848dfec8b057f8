# Made by hot2tf from input.yaml

output "secret" {
  value     = module.web.login
  sensitive = true
}

output "random" {
  value = module.random.value
}
