# Converted from input.yaml by hot2tf.

resource "random_password" "passwords" {
  count = 2

  length  = 12
  special = false
}
