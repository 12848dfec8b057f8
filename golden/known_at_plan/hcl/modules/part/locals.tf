# Converted from part.yaml by hot2tf.

locals {
  has_other   = var.other_given
  has_network = true
}
