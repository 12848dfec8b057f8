locals {
  is_wanted = var.wanted
}
