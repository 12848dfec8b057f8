# Converted from input.yaml by hot2tf.

locals {
  has_spare = var.Spare == "yes"
}
