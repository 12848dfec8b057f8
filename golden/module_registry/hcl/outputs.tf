# Made by hot2tf: hot2tf convert input.yaml -e types.env.yaml -o DIR

output "secret" {
  value     = module.web.login
  sensitive = true
}

output "random" {
  value = module.random.value
}
