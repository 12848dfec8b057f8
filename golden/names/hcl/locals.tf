# Converted from input.yaml by hot2tf.

locals {
  is_it = var.count_ == "a"
}
