# Converted from input.yaml by hot2tf.

locals {
  spare = var.with_spare
}
