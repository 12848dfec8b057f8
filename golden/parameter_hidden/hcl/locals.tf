# Made by hot2tf from input.yaml

locals {
  # HOT524: tests a hidden parameter; its result is not treated as a secret.
  has_token = nonsensitive(var.token != "")
}
