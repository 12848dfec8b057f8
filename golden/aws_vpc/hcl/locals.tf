# Converted from input.yaml by hot2tf.

locals {
  open = var.WithGateway == "yes"
}
