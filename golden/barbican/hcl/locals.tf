# Converted from input.yaml by hot2tf.

locals {
  chained = var.chain
}
