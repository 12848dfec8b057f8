# Made by hot2tf from server.yaml

output "login" {
  value     = module.inner.text
  sensitive = true
}
