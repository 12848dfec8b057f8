# Made by hot2tf: hot2tf convert input.yaml --roll-up --tests -o DIR

locals {
  server_values = {
    "0" = "m1.small"
    "1" = "m1.large"
    "2" = "m1.large"
  }
}
