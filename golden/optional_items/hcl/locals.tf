locals {
  has_own = var.own
}
