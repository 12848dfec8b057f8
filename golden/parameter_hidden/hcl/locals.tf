# Made by hot2tf: hot2tf convert input.yaml -o DIR

locals {
  # HOT524: tests a hidden parameter; its result is not treated as a secret.
  has_token = nonsensitive(var.token != "")
}
