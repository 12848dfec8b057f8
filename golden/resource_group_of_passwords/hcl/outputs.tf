# Made by hot2tf from input.yaml

output "all" {
  value     = random_password.passwords[*].result
  sensitive = true
}
