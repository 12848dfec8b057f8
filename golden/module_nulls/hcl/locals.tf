locals {
  found = var.is_found
}
