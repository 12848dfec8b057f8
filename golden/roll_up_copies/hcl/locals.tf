# Made by hot2tf from input.yaml

locals {
  server_values = { "0" = "m1.small", "1" = "m1.large", "2" = "m1.large" }
}
