locals {
  is_named = var.named
}
