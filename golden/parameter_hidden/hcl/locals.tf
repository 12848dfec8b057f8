locals {
  # HOT524: tests a hidden parameter; whether it holds is no secret.
  has_token = nonsensitive(var.token != "")
}
