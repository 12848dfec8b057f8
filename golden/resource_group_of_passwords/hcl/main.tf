# Made by hot2tf from input.yaml

resource "random_password" "passwords" {
  count = 2

  length  = 12
  special = false
}
