locals {
  wanted = var.with_others
}
