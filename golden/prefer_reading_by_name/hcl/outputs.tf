# Made by hot2tf from input.yaml

output "password" {
  value     = local.password
  sensitive = true
}

output "chain" {
  value = {
    "0" = random_password.chain_0.result
    "1" = random_password.chain_1.result
  }

  sensitive = true
}
