# Made by hot2tf: hot2tf convert input.yaml -o DIR

resource "random_password" "passwords" {
  count = 2

  length  = 12
  special = false
}
