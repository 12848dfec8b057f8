locals {
  is_open = var.open
}
