# Made by hot2tf: hot2tf convert input.yaml -o DIR

output "all" {
  value     = random_password.passwords[*].result
  sensitive = true
}
