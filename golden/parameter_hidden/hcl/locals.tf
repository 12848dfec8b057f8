# Converted from input.yaml by hot2tf.

locals {
  # HOT524: tests a hidden parameter; its result is not treated as a secret.
  has_token = nonsensitive(var.token != "")
}
