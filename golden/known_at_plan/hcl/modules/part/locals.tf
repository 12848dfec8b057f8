locals {
  has_other   = var.other_given
  has_network = true
}
