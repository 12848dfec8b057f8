# Converted from input.yaml by hot2tf.

locals {
  tight = var.admin == "198.51.100.0/24"
}
