# Made by hot2tf from server.yaml: hot2tf convert input.yaml -e types.env.yaml -o DIR

output "login" {
  value     = module.inner.text
  sensitive = true
}
